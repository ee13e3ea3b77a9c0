/** By which devices and passkeys I come in: what is asked of the server, and of the browser's authenticator. */
import type { DoorAhead, DoorLink, Myself, PasskeyAnswer, PasskeyNew, PasskeyOptions, PasskeyRequest, ShutDoors } from "../person-protocol";
import { ask, Refusing } from "../lib/api";

/** Why this page has no passkeys: "" where it has. */
export function passkeysMissing(): "" | "insecure" | "number" | "unsupported" {
  if (!isSecureContext) return "insecure";
  if (/^[\d.]+$|^\[/.test(location.hostname)) return "number";
  return "PublicKeyCredential" in window ? "" : "unsupported";
}

export function myself(): Promise<Myself> {
  return ask<Myself>("/api/person");
}

export function newLink(): Promise<DoorLink> {
  return ask<DoorLink>("/api/doors/new", {});
}

/** The address that a code is sent as. It stands behind the #, which no server is told. */
export function addressOfDoor(code: string): string {
  return `${location.origin}/door#${code}`;
}

export function lookAhead(code: string): Promise<DoorAhead> {
  return ask<DoorAhead>("/api/doors/look", { code });
}

export function openDoor(code: string): Promise<Myself> {
  return ask<Myself>("/api/doors/open", { code });
}

export function shutDoors(wish: ShutDoors): Promise<Myself> {
  return ask<Myself>("/api/doors/shut", wish);
}

export function removePasskey(id: string): Promise<Myself> {
  return ask<Myself>("/api/passkeys/remove", { id });
}

/** Have a passkey made, and keep what belongs to it; null where somebody thought better of it. */
export async function addPasskey(): Promise<Myself | null> {
  const { challenge, rp, user, name, algorithms, known } = await ask<PasskeyOptions>("/api/passkeys/new", {});
  const made = await given(
    navigator.credentials.create({
      publicKey: {
        challenge: bytes(challenge),
        rp: { id: rp, name: "Souk" },
        user: { id: bytes(user), name, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: known.map((id) => ({ type: "public-key", id: bytes(id) })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
        attestation: "none",
      },
    }),
  );
  if (!made) return null;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  const wish: PasskeyNew = { id: text(made.rawId), client_data: text(clientDataJSON), attestation: text(attestationObject) };
  return ask<Myself>("/api/passkeys/add", wish);
}

/** Come in by a passkey; null where none was given. */
export async function enterByPasskey(): Promise<Myself | null> {
  const { challenge, rp } = await ask<PasskeyRequest>("/api/passkeys/ask", {});
  const found = await given(
    navigator.credentials.get({ publicKey: { challenge: bytes(challenge), rpId: rp, userVerification: "preferred" } }),
  );
  if (!found) return null;
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response as AuthenticatorAssertionResponse;
  const wish: PasskeyAnswer = {
    id: text(found.rawId),
    client_data: text(clientDataJSON),
    data: text(authenticatorData),
    signature: text(signature),
    handle: userHandle ? text(userHandle) : "",
  };
  return ask<Myself>("/api/passkeys/enter", wish);
}

/** Everything I have here, as a file. */
export async function everything(): Promise<Blob> {
  const answer = await fetch("/api/person/all").catch(() => null);
  if (answer?.ok) return answer.blob();
  const refusal = (await answer?.json().catch(() => null)) as { reason: Refusing["reason"] } | null;
  throw new Refusing(refusal?.reason ?? ["ui.no_server", {}], answer?.status ?? 0);
}

/** What an authenticator gives; null where the person, or the browser, does not want to. */
async function given(asked: Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await asked) as PublicKeyCredential | null;
  } catch {
    return null;
  }
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}

function text(content: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(content));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
