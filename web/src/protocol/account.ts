// Written by `python -m souk.server.protocol.typescript` from souk/server/protocol/account.py: change it there.

/** A device signed in to my account. */
export interface DeviceCard {
  id: string;
  /** description; "" if unknown */
  device: string;
  since: number;
  /** to some minutes */
  last_used: number;
  /** this device */
  current: boolean;
}

/** One of my passkeys. */
export interface PasskeyCard {
  id: string;
  /** where it was created */
  device: string;
  since: number;
  last_used: number;
}

/** My account. */
export interface Account {
  name: string;
  /** "" until chosen */
  figure: string;
  colour: string;
  /** to choose from */
  figures: string[];
  colours: string[];
  /** empty until there is a second device */
  devices: DeviceCard[];
  passkeys: PasskeyCard[];
  /** number of mine */
  tables: number;
  /** this device had an account of its own with so many tables, to which signing out returns */
  before: number | null;
  /** this browser has a cookie, so that choices are stored */
  has_cookie: boolean;
}

/** POST /api/person: change my name and appearance. */
export interface SetProfile {
  name: string;
  figure?: string;
  colour?: string;
}

/** POST /api/devices/link, /api/passkeys/creation-options and /api/passkeys/request-options */
export type RequestDeviceLink = object;

/** A one-time code for a second device, valid for some minutes. */
export interface DeviceLink {
  code: string;
  minutes: number;
}

/** POST /api/devices/preview and /api/devices/sign-in */
export interface DeviceCode {
  code: string;
}

/** The account a code leads to, if it still works. `tables`: this device's own tables, which stay with its present account. */
export interface DevicePreview {
  works: boolean;
  name: string;
  figure: string;
  colour: string;
  /** it is my account already */
  same: boolean;
  tables: number;
}

/** POST /api/devices/sign-out: sign out on this device, on all others, or on one of them. */
export interface SignOutDevices {
  scope: "here" | "others" | "one";
  id?: string;
}

/** Options for creating a passkey. */
export interface PasskeyOptions {
  challenge: string;
  rp: string;
  user: string;
  name: string;
  algorithms: number[];
  /** my existing ones */
  existing: string[];
}

/** POST /api/passkeys/add: the authenticator's response. */
export interface PasskeyNew {
  id: string;
  client_data: string;
  attestation: string;
}

/** POST /api/passkeys/remove */
export interface RemovePasskey {
  id: string;
}

/** Options for signing in with a passkey. */
export interface PasskeyRequest {
  challenge: string;
  rp: string;
}

/** POST /api/passkeys/sign-in: the authenticator's response. */
export interface PasskeyAnswer {
  id: string;
  client_data: string;
  data: string;
  signature: string;
  handle?: string;
}
