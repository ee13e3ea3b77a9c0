/** Requests about past players and invitations. */
import type { DeclineInvitation, PastPlayers, InvitationsNow, InvitePlayer, SetInvitationsAllowed } from "../protocol/meeting";
import { ask } from "./api";

/** People I have shared a table with, and whether they are invited to this one. */
export function loadPastPlayers(table: string): Promise<PastPlayers> {
  return ask<PastPlayers>(`/api/fellows?table=${table}`);
}

/** Invite the player of a seat at a table we shared. */
export function invite(table: string, wish: InvitePlayer): Promise<PastPlayers> {
  return ask<PastPlayers>(`/api/tables/${table}/invite`, wish);
}

export function declineInvitation(table: string): Promise<InvitationsNow> {
  return ask<InvitationsNow>(`/api/tables/${table}/decline`, {} satisfies DeclineInvitation);
}

export function enableInvitations(wanted: boolean): Promise<InvitationsNow> {
  return ask<InvitationsNow>("/api/invitations", { wanted } satisfies SetInvitationsAllowed);
}
