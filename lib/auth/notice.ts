/**
 * Notices: a page's messages about an action that has just been done there.
 *
 * The action redirects to the page with the notice in the address. It is signed for one reader and for ten minutes, so
 * that no link from elsewhere shows a message about an action that did not happen. A reader without a session is known
 * by the cookie of their browser; without that too, they read no notices.
 *
 * A script that sends a form receives the page as part of the answer. The notice is only for that: a reload, which
 * requests the whole page, does not show it again, however soon it comes.
 */
import { isFromScript } from "../request/current-request.ts";
import { authSecret } from "./secret.ts";
import { derivedKey, isSameSecret, signatureOf } from "./token.ts";

/** A user, or the cookie of a browser without a session; null without either. */
export type NoticeReader = { id: number } | { browser: string } | null;

/** The subject of a notice, and its reader. */
export interface NoticeContext {
  /** The kind of action and its subject, such as a post's slug. */
  about: string;
  reader: NoticeReader;
  now: number;
}

export const noticeValidMs = 600_000;

/** A notice for the address of a page; `notice` must have no dot. */
export function signedNotice(notice: string, { about, reader, now }: NoticeContext): string {
  const text = `${notice}.${now.toString(36)}`;
  return `${text}.${signature(text, about, reader)}`;
}

/**
 * The notice in a value from an address.
 * Undefined unless it is signed for this page, reader, time and kind of request.
 */
export function readNotice(value: unknown, { about, reader, now }: NoticeContext): string | undefined {
  if (typeof value !== "string" || reader === null) return undefined;
  const [, text = "", notice, at = "", sent = ""] =
    /^(([^.]*)\.([\da-z]{1,11}))\.([\w-]{43})$/.exec(value) ?? [];
  const age = now - Number.parseInt(at, 36);
  // Nodes' clocks differ a little.
  if (!(Math.abs(age) <= noticeValidMs)) return undefined;
  return isSameSecret(sent, signature(text, about, reader)) ? notice : undefined;
}

function signature(text: string, about: string, reader: NoticeReader): string {
  const key = derivedKey(authSecret(), "notices");
  const id = reader && ("id" in reader ? reader.id : reader.browser);
  return signatureOf(key, text, about, id, isFromScript() ? "script" : "page");
}
