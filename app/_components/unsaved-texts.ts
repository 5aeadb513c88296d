/**
 * Unsaved texts of posts, in the browser's local storage.
 *
 * A text belongs to a user, a post and a tab, so that two tabs keep two texts. It stays until it is saved or discarded,
 * at most 30 days. Logging out removes the user's texts; a session that ends by itself does not, so that the text is
 * there after logging in again.
 */
import { unsavedTextKeptMs } from "@/lib/posts/lengths";

const prefix = "weir-text:";
const tabName = "weir-tab";
/** A text from further ahead is of a wrong clock. */
const clockErrorMs = 3_600_000;
const leavingMaximumMs = 10_000;

/** The values of a post's form, by the names of its fields. */
export type FieldValues = Readonly<Record<string, string>>;

export interface StoredText {
  /** Those of earlier versions lack the publishing options. */
  fields: FieldValues;
  /** When it was typed. */
  at: number;
  /** The last change of the saved post when it was typed; 0 for a new post. */
  basedOn: number;
  /** The key that a new post was sent with; none if it was not. */
  idempotencyKey?: string | undefined;
  /** The stored copy that it was restored from. */
  origin?: Origin | undefined;
}

/** A stored text at one time. */
interface Origin {
  key: string;
  at: number;
}

/**
 * The beginning of the storage keys of a post's texts; a new post has no number.
 * Not of its slug, which may change.
 */
export function keyPrefixOf(userId: number, post: string | undefined): string {
  return `${prefix}${userId}:${post === undefined ? "" : `#${post}`}:`;
}

/**
 * The texts whose keys begin like this, the newest first.
 * Removes expired texts of any post.
 */
export function readTexts(keyPrefix: string, now: number): { key: string; text: StoredText }[] {
  const found: { key: string; text: StoredText }[] = [];
  for (const key of storedKeys(prefix)) {
    const text = read(key);
    if (!text || text.at < now - unsavedTextKeptMs || text.at > now + clockErrorMs) removeText(key);
    else if (key.startsWith(keyPrefix)) found.push({ key, text });
  }
  return found.sort((one, other) => other.text.at - one.text.at);
}

/** Stores a text; false when the browser has no room or stores nothing. */
export function storeText(key: string, { fields, ...others }: StoredText): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ ...fields, ...others }));
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes a text.
 * With `at` only as it was at that time: it may have changed since, in another tab.
 */
export function removeText(key: string, at?: number): void {
  try {
    if (at === undefined || read(key)?.at === at) localStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has no text.
  }
}

/**
 * Removes a text and the copies that it was restored from.
 * Each copy only as it was at that time.
 */
export function removeWithOrigins(key: string, at?: number): void {
  const text = read(key);
  if (!text || (at !== undefined && text.at !== at)) return;
  removeText(key);
  if (text.origin) removeWithOrigins(text.origin.key, text.origin.at);
}

export function hasTexts(userId: number): boolean {
  return storedKeys(`${prefix}${userId}:`).length > 0;
}

/**
 * Removes a user's texts after logging out.
 * For ten seconds, in which the page is left, its editor stores no more (as with `public/form.js`).
 */
export function removeTextsOf(userId: number): void {
  const { dataset } = document.documentElement;
  dataset.left = "logged-out";
  // The document may stay, with another page.
  setTimeout(() => delete dataset.left, leavingMaximumMs);
  for (const key of storedKeys(`${prefix}${userId}:`)) removeText(key);
}

/**
 * This tab's id, which a reload keeps.
 * A new one when `renewed`, and where the browser stores nothing.
 */
export function tabId(renewed: boolean): string {
  const random = randomId();
  try {
    const id = (!renewed && sessionStorage.getItem(tabName)) || random;
    sessionStorage.setItem(tabName, id);
    return id;
  } catch {
    return random;
  }
}

/** 128 random bits. */
export function randomId(): string {
  // Not randomUUID, which plain http lacks.
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
}

function storedKeys(keyPrefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(keyPrefix));
  } catch {
    // A browser that stores nothing has no texts.
    return [];
  }
}

/** Another version of the site may have stored any value. */
function read(key: string): StoredText | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { at, basedOn, idempotencyKey, origin, ...others }: Record<string, unknown> = { ...stored };
    if (typeof at !== "number" || typeof basedOn !== "number") return null;
    const fields = Object.fromEntries(
      Object.entries(others).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    );
    if (!("title" in fields && "content" in fields)) return null;
    return {
      fields,
      at,
      basedOn,
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      origin: originFrom(origin),
    };
  } catch {
    return null;
  }
}

function originFrom(stored: unknown): Origin | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { key, at }: Record<string, unknown> = { ...stored };
  return typeof key === "string" && key.startsWith(prefix) && typeof at === "number"
    ? { key, at }
    : undefined;
}
