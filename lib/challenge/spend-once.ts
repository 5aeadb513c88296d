import type { Database } from "../../db/index.ts";

/**
 * Marks a key as used; false when it was used before.
 * In a transaction the mark is saved when that commits, and no other caller can set it meanwhile. It is a row of the
 * limiter states, which expire and are locked by key.
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
