/** Devices and passkeys: server requests and WebAuthn. */
import type {
  DevicePreview,
  DeviceLink,
  Account,
  PasskeyAnswer,
  PasskeyNew,
  PasskeyOptions,
  PasskeyRequest,
  SignOutDevices,
} from "../protocol/account";
import { ask, RequestRefused } from "../net/api";

/** Why passkeys are unavailable on this page, or "". */
export function passkeyObstacle(): "" | "insecure" | "number" | "unsupported" {
  if (!isSecureContext) return "insecure";
  if (/^[\d.]+$|^\[/.test(location.hostname)) return "number";
  return "PublicKeyCredential" in window ? "" : "unsupported";
}

export function loadAccount(): Promise<Account> {
  return ask<Account>("/api/person");
}

export function newLink(): Promise<DeviceLink> {
  return ask<DeviceLink>("/api/devices/link", {});
}

/** The link for a code. The code is in the fragment, which is never sent to a server. */
export function deviceLinkUrl(code: string): string {
  return `${location.origin}/link-device#${code}`;
}

export function previewDeviceLink(code: string): Promise<DevicePreview> {
  return ask<DevicePreview>("/api/devices/preview", { code });
}

export function useDeviceLink(code: string): Promise<Account> {
  return ask<Account>("/api/devices/sign-in", { code });
}

export function signOut(wish: SignOutDevices): Promise<Account> {
  return ask<Account>("/api/devices/sign-out", wish);
}

export function removePasskey(id: string): Promise<Account> {
  return ask<Account>("/api/passkeys/remove", { id });
}

/** Create and register a passkey; null if cancelled. */
export async function addPasskey(): Promise<Account | null> {
  const { challenge, rp, user, name, algorithms, existing } = await ask<PasskeyOptions>("/api/passkeys/creation-options", {});
  const made = await given(
    navigator.credentials.create({
      publicKey: {
        challenge: bytes(challenge),
        rp: { id: rp, name: "Souk" },
        user: { id: bytes(user), name, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: existing.map((id) => ({ type: "public-key", id: bytes(id) })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
        attestation: "none",
      },
    }),
  );
  if (!made) return null;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  const wish: PasskeyNew = { id: text(made.rawId), client_data: text(clientDataJSON), attestation: text(attestationObject) };
  return ask<Account>("/api/passkeys/add", wish);
}

/** Sign in with a passkey; null if cancelled. */
export async function signInWithPasskey(): Promise<Account | null> {
  const { challenge, rp } = await ask<PasskeyRequest>("/api/passkeys/request-options", {});
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
  return ask<Account>("/api/passkeys/sign-in", wish);
}

/** All data stored about this account, as a file. */
export async function exportData(): Promise<Blob> {
  const answer = await fetch("/api/person/all").catch(() => null);
  if (answer?.ok) return answer.blob();
  const refusal = (await answer?.json().catch(() => null)) as { reason: RequestRefused["reason"] } | null;
  throw new RequestRefused(refusal?.reason ?? ["ui.no_server", {}], answer?.status ?? 0);
}

/** The credential, or null if the user or the browser declined. */
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
