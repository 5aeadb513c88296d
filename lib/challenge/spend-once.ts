import type { Database } from "../../db/index.ts";

/**
 * Uses something up under a key; false when it was used before.
 * In a transaction it is used only when that commits, and no other uses it meanwhile. The table of the limiters' states
 * remembers it: rows by key that expire, which is all this needs.
 */
export async function spendOnce(
  { limiterStates }: Pick<Database, "limiterStates">,
  { key, expiresAt }: { key: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  const [used] = await limiterStates.load([key], now);
  if (used !== undefined) return false;
  await limiterStates.save([{ key, state: 1, expiresAt: expiresAt + 1 }], now);
  return true;
}
