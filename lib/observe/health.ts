/** Readiness checks behind `/readyz`. */
import { errorCode } from "../../db/error-code.ts";
import { TooLate, within } from "./deadline.ts";

/** A dependency of the app; `check` resolves when it can be used. */
export interface HealthPart {
  name: string;
  check: () => Promise<void>;
}

/** A part that cannot be used; `reason` contains no secrets. */
interface Unready {
  name: string;
  reason: string;
}

/** Checks all parts in parallel; resolves to those that fail or exceed `timeoutMs`. */
export async function ready(parts: readonly HealthPart[], timeoutMs: number): Promise<Unready[]> {
  const results = parts.map(async ({ name, check }) => {
    try {
      await within(timeoutMs, check);
      return [];
    } catch (error) {
      return [{ name, reason: reasonOf(error, timeoutMs) }];
    }
  });
  return (await Promise.all(results)).flat();
}

/** From the error's code only: its message may contain hosts or passwords. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof TooLate) return `has not answered within ${timeoutMs} ms`;
  const code = errorCode(error) ?? "";
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? `cannot be used (${code})` : "cannot be used";
}
