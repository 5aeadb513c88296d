/**
 * Drafts: unsaved texts of posts, in the browser's local storage.
 *
 * A draft belongs to a user and a post, and stays until the text is saved or given up, at most 30 days. Logging out
 * removes all drafts; a session that ends by itself does not, so that the text is there after logging in again.
 */
const prefix = "weir-text:";
const lifetimeMs = 30 * 24 * 3_600_000;

export interface Draft {
  title: string;
  content: string;
  /** When it was typed. */
  at: number;
  /** The last change of the saved post when it was typed; 0 for a new post. */
  basedOn: number;
}

/** The storage key of a text's draft; a new post has no slug. */
export function draftKey(userId: number, slug: string | undefined): string {
  return `${prefix}${userId}:${slug ?? ""}`;
}

/** The draft with this key; null when there is none, or the browser stores nothing. */
export function readDraft(key: string, now: number): Draft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return isDraft(draft) && now - draft.at < lifetimeMs ? draft : null;
  } catch {
    return null;
  }
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

export function removeAllDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has no draft.
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
    "at" in draft &&
    typeof draft.at === "number" &&
    "basedOn" in draft &&
    typeof draft.basedOn === "number"
  );
}
