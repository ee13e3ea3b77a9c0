/** Questions about people one has played with, and invitations. */
import type { DeclineInvitation, Acquaintances, InvitationsNow, InviteFellow, WantInvitations } from "../meeting-protocol";
import { ask } from "./api";

/** Whom I have shared a table with, and whether I have asked them to this one. */
export function fellowsFor(table: string): Promise<Acquaintances> {
  return ask<Acquaintances>(`/api/fellows?table=${table}`);
}

/** Ask somebody to a table of mine: whoever sat on that seat of a table that we shared. */
export function invite(table: string, wish: InviteFellow): Promise<Acquaintances> {
  return ask<Acquaintances>(`/api/tables/${table}/invite`, wish);
}

export function declineInvitation(table: string): Promise<InvitationsNow> {
  return ask<InvitationsNow>(`/api/tables/${table}/decline`, {} satisfies DeclineInvitation);
}

export function wantInvitations(wanted: boolean): Promise<InvitationsNow> {
  return ask<InvitationsNow>("/api/invitations", { wanted } satisfies WantInvitations);
}
