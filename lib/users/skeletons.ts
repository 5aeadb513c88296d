import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import { skeletonOf } from "./usernames.ts";

const batch = 200;
const pauseMs = 20;

/**
 * Computes the skeletons of accounts from before there were any, a few in each transaction. Where two look alike already,
 * both keep their names: the younger one's skeleton gets its number, which no username can contain.
 */
export async function fillSkeletons({ users, transaction }: Pick<Database, "users" | "transaction">) {
  for (;;) {
    const filled = await transaction(async () => {
      const missing = await users.withoutSkeleton(batch);
      for (const { id, username } of missing) {
        const skeleton = skeletonOf(username);
        await users.setSkeleton(id, (await users.skeletonTaken(skeleton)) ? `${skeleton}#${id}` : skeleton);
      }
      return missing.length;
    });
    if (filled < batch) return;
    await sleep(pauseMs);
  }
}
