/**
 * Drafts: unsaved texts of posts, in the browser's local storage.
 *
 * A draft belongs to a user, a post and a tab, so that two tabs keep two texts. It stays until its text is saved or
 * discarded, at most 30 days. Logging out removes the user's drafts; a session that ends by itself does not, so that
 * the text is there after logging in again.
 */
const prefix = "weir-text:";
const tabName = "weir-tab";
const lifetimeMs = 30 * 24 * 3_600_000;
/** A draft from further ahead is of a wrong clock. */
const clockErrorMs = 3_600_000;

export interface Draft {
  title: string;
  content: string;
  /** The chosen language; older drafts have none. */
  lang?: string;
  /** When it was typed. */
  at: number;
  /** The last change of the saved post when it was typed; 0 for a new post. */
  basedOn: number;
}

/** The beginning of the storage keys of a text's drafts; a new post has no slug. */
export function draftPrefix(userId: number, slug: string | undefined): string {
  return `${prefix}${userId}:${slug ?? ""}:`;
}

/**
 * The drafts whose keys begin like this, the newest first.
 * Removes the expired drafts of any text.
 */
export function readDrafts(keyPrefix: string, now: number): { key: string; draft: Draft }[] {
  const found: { key: string; draft: Draft }[] = [];
  for (const key of draftKeys(prefix)) {
    const draft = read(key);
    if (!draft || draft.at < now - lifetimeMs || draft.at > now + clockErrorMs) removeDraft(key);
    else if (key.startsWith(keyPrefix)) found.push({ key, draft });
  }
  return found.sort((one, other) => other.draft.at - one.draft.at);
}

/** Saves a draft; false when the browser has no room or stores nothing. */
export function saveDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has no draft.
  }
}

/** Removes a draft unless it has changed since it was read, as in another tab. */
export function removeUnchangedDraft(key: string, draft: Draft): void {
  if (read(key)?.at === draft.at) removeDraft(key);
}

export function hasDrafts(userId: number): boolean {
  return draftKeys(`${prefix}${userId}:`).length > 0;
}

export function removeDraftsOf(userId: number): void {
  for (const key of draftKeys(`${prefix}${userId}:`)) removeDraft(key);
}

/**
 * This tab's id, which a reload keeps.
 * A new one when `renewed`, and where the browser stores nothing.
 */
export function tabId(renewed: boolean): string {
  // Not randomUUID, which plain http lacks.
  const random = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
  try {
    const id = (!renewed && sessionStorage.getItem(tabName)) || random;
    sessionStorage.setItem(tabName, id);
    return id;
  } catch {
    return random;
  }
}

function draftKeys(keyPrefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(keyPrefix));
  } catch {
    // A browser that stores nothing has no drafts.
    return [];
  }
}

function read(key: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

/** Whether this is a draft: another version of the site may have saved any value. */
function isDraft(draft: unknown): draft is Draft {
  return (
    typeof draft === "object" &&
    draft !== null &&
    "title" in draft &&
    typeof draft.title === "string" &&
    "content" in draft &&
    typeof draft.content === "string" &&
    (!("lang" in draft) || typeof draft.lang === "string") &&
    "at" in draft &&
    typeof draft.at === "number" &&
    "basedOn" in draft &&
    typeof draft.basedOn === "number"
  );
}
