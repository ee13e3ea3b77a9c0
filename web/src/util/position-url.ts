/** A position in the address of a page: its JSON, compressed, in letters that an address may have. */

const LONGEST = 6000; // letters of such an address
const LARGEST = 16_000; // letters of a position

/** A position as the end of an address; "" where it is too long for that. */
export async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const packed = btoa(String.fromCharCode(...bytes));
  const found = packed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return found.length <= LONGEST ? found : "";
}

/** What was packed; "" where that is nothing. */
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

/** All that comes out of a stream, unless it is more than a position can be. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const found: number[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    found.push(...part.value);
    if (found.length > LARGEST) throw new Error("too large");
  }
  return Uint8Array.from(found);
}
