/**
 * The account: name, figure and colour, stored by the server for all devices. Loaded when
 * everything else is there.
 */
import type { SetProfile, Account } from "../protocol/account";
import { ask, errorText } from "../net/api";
import { settings } from "./settings.svelte";
import { toast } from "./toast.svelte";

type Face = Pick<Account, "name" | "figure" | "colour">;

export const me = $state<Face>({ name: "", figure: "", colour: "" });
let hasCookie = false; // whether this browser has an account

let asked: Promise<boolean> | null = null;

/** Load the account once; whether the server answered. Retried on demand after a failure. */
export function loadMe(): Promise<boolean> {
  return (asked ??= ask<Account>("/api/person").then(
    (found) => {
      hasCookie = found.has_cookie;
      setMe(found);
      return true;
    },
    () => {
      asked = null;
      return false;
    },
  ));
}

/** Use this account here. */
export function setMe({ name, figure, colour }: Face): void {
  Object.assign(me, { name, figure, colour });
  if (name) settings.name = name;
}

/** Change how I am shown; resolves with the account. */
export async function updateMe(face: SetProfile): Promise<Account> {
  const found = await ask<Account>("/api/person", face);
  setMe(found);
  return found;
}

/**
 * Save the name for all devices. Without an account it is sent along when sitting down; creating
 * one here as well could end in two accounts.
 */
export async function saveName(): Promise<void> {
  const name = settings.name.trim(); // as typed; the server may have another
  if (!hasCookie) asked = null;
  if (!(await loadMe()) || !hasCookie || name === me.name) return;
  try {
    await updateMe({ ...me, name });
  } catch (error) {
    toast(errorText(error));
  }
}
