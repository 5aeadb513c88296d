/**
 * Tickets, which a browser keeps between the two steps of a log-in.
 * A ticket is signed for one user and their password, and valid for ten minutes.
 */
import type { Database, UserRow } from "../../db/index.ts";
import { isSameSecret, signatureOf } from "../auth/token.ts";

export const ticketMs = 600_000;

const form = /^(\d{1,15})\.([\da-z]{1,11})\.([\w-]{43})$/;

type TicketOwner = Pick<UserRow, "id" | "passwordHash">;

export function newTicket(user: TicketOwner, key: Buffer, now: number): string {
  const until = (now + ticketMs).toString(36);
  return `${user.id}.${until}.${signature(user, until, key)}`;
}

/** The user of a ticket; undefined when it is forged or has expired. */
export async function userOfTicket(
  { users }: Pick<Database, "users">,
  ticket: string,
  { key, now }: { key: Buffer; now: number },
): Promise<UserRow | undefined> {
  const id = form.exec(ticket)?.[1];
  const user = id === undefined ? undefined : await users.byId(Number(id));
  return user && isTicketOf(ticket, user, key, now) ? user : undefined;
}

function isTicketOf(ticket: string, user: TicketOwner, key: Buffer, now: number): boolean {
  const [, id, until = "", sent = ""] = form.exec(ticket) ?? [];
  if (id !== String(user.id) || now >= Number.parseInt(until, 36)) return false;
  return isSameSecret(sent, signature(user, until, key));
}

function signature({ id, passwordHash }: TicketOwner, until: string, key: Buffer): string {
  return signatureOf(key, "ticket", id, until, passwordHash);
}
