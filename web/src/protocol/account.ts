// Written by `python -m souk.table.typescript` from souk/table/person_protocol.py: change it there.

/** A device by which I come in. */
export interface DoorCard {
  id: string;
  /** in words; "" where nobody knows */
  device: string;
  since: number;
  /** when it last came, to some minutes */
  seen: number;
  /** this one */
  here: boolean;
}

/** A passkey of mine. */
export interface PasskeyCard {
  id: string;
  /** where it was made */
  device: string;
  since: number;
  used: number;
}

/** Who I am here. */
export interface Myself {
  name: string;
  /** "" until I choose one */
  figure: string;
  colour: string;
  /** that there are */
  figures: string[];
  colours: string[];
  /** none until there is more than this device */
  doors: DoorCard[];
  passkeys: PasskeyCard[];
  /** that I have */
  tables: number;
  /** this device was somebody else before, with so many tables: signed out here, it is again */
  before: number | null;
  /** this browser's cookie is known: whatever I choose is kept */
  known: boolean;
}

/** POST /api/person: how I am to be shown. */
export interface ChooseFace {
  name: string;
  figure?: string;
  colour?: string;
}

/** POST /api/doors/new, /api/passkeys/new and /api/passkeys/ask */
export type AskDoor = object;

/** The code for a second device, which works once and for so many minutes. */
export interface DoorLink {
  code: string;
  minutes: number;
}

/** POST /api/doors/look and /api/doors/open */
export interface DoorCode {
  code: string;
}

/** Whom a code leads to, where it still `works`, and how many tables this device has of its own: they stay with whom it is now. */
export interface DoorAhead {
  works: boolean;
  name: string;
  figure: string;
  colour: string;
  /** I am that person already */
  same: boolean;
  tables: number;
}

/** POST /api/doors/shut: sign out on this device, on all others, or on one of them. */
export interface ShutDoors {
  which: "here" | "others" | "one";
  id?: string;
}

/** What an authenticator is to be asked for. */
export interface PasskeyOptions {
  challenge: string;
  rp: string;
  user: string;
  name: string;
  algorithms: number[];
  /** that I have already */
  known: string[];
}

/** POST /api/passkeys/add: what it has made. */
export interface PasskeyNew {
  id: string;
  client_data: string;
  attestation: string;
}

/** POST /api/passkeys/remove */
export interface RemovePasskey {
  id: string;
}

/** What an authenticator is to be asked, to know whose it is. */
export interface PasskeyRequest {
  challenge: string;
  rp: string;
}

/** POST /api/passkeys/enter: what it answers. */
export interface PasskeyAnswer {
  id: string;
  client_data: string;
  data: string;
  signature: string;
  handle?: string;
}
