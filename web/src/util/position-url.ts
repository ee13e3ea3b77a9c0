/** A position in a page address: compressed JSON, URL-safe. */

const LONGEST = 6000; // characters of such an address
const LARGEST = 16_000; // characters of a position

/** A position as the end of an address; "" if too long. */
export async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const packed = btoa(String.fromCharCode(...bytes));
  const found = packed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return found.length <= LONGEST ? found : "";
}

/** The unpacked position; "" if invalid. */
export async function unpack(packed: string): Promise<string> {
  if (!packed || packed.length > LONGEST) return "";
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return "";
  }
}

/** All output of a stream, up to the largest position. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const found: number[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    found.push(...part.value);
    if (found.length > LARGEST) throw new Error("too large");
  }
  return Uint8Array.from(found);
}
