/** Whether the app can do its work: what `/readyz` answers. */

import { errorCode } from "../error-message.ts";
import { TooLate, within } from "./deadline.ts";

/** Something that the app needs. `check` resolves when it can be used. */
export interface Part {
  name: string;
  check: () => Promise<void>;
}

/** A part that cannot be used, and why, in words that anybody may read. */
export interface Unready {
  name: string;
  reason: string;
}

/** Asks all parts at once; resolves to those that fail, or have not answered within `timeoutMs` milliseconds. */
export async function ready(parts: readonly Part[], timeoutMs: number): Promise<Unready[]> {
  const answers = parts.map(async ({ name, check }) => {
    try {
      await within(timeoutMs, check);
      return [];
    } catch (error) {
      return [{ name, reason: reasonOf(error, timeoutMs) }];
    }
  });
  return (await Promise.all(answers)).flat();
}

/** An error's message may name hosts or hold a password; its code does not. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof TooLate) return `has not answered within ${timeoutMs} ms`;
  const code = errorCode(error) ?? "";
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? `cannot be used (${code})` : "cannot be used";
}
