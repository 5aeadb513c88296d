/**
 * Copies of texts being written, kept in the browser.
 *
 * A copy belongs to a user and a post, and stays until the text is saved or given up, at most 30 days. Logging out
 * removes all copies; a session that ends by itself does not, so that the text is there after logging in again.
 */
const prefix = "weir-text:";
const keptMs = 30 * 24 * 3_600_000;

export interface KeptText {
  title: string;
  content: string;
  /** When it was typed. */
  at: number;
  /** The last change of the saved post when it was typed; 0 for a new post. */
  basedOn: number;
}

/** The name of a text's copy; a new post has no slug. */
export function copyName(userId: number, slug: string | undefined): string {
  return `${prefix}${userId}:${slug ?? ""}`;
}

/** The copy of a text; null when there is none, or the browser keeps nothing. */
export function readCopy(name: string, now: number): KeptText | null {
  try {
    const copy: unknown = JSON.parse(localStorage.getItem(name) ?? "null");
    return isKeptText(copy) && now - copy.at < keptMs ? copy : null;
  } catch {
    return null;
  }
}

/** Keeps a copy; false when the browser has no room or keeps nothing. */
export function saveCopy(name: string, copy: KeptText): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(copy));
    return true;
  } catch {
    return false;
  }
}

export function removeCopy(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing has no copy.
  }
}

export function removeAllCopies(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing has no copy.
  }
}

/** Whether this is a copy: another version of the site may have saved any value. */
function isKeptText(copy: unknown): copy is KeptText {
  return (
    typeof copy === "object" &&
    copy !== null &&
    "title" in copy &&
    typeof copy.title === "string" &&
    "content" in copy &&
    typeof copy.content === "string" &&
    "at" in copy &&
    typeof copy.at === "number" &&
    "basedOn" in copy &&
    typeof copy.basedOn === "number"
  );
}
