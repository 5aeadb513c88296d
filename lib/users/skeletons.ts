import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import { skeletonsOf } from "./usernames.ts";

/** Too many old usernames are not yet compared for a registration to wait for. */
export type NamesBusy = { kind: "names-busy" };

const batch = 200;
const pauseMs = 20;

/** Whether too many skeletons are missing for a registration to wait for them. */
export async function isFillingSkeletons({ users }: Pick<Database, "users">): Promise<boolean> {
  return (await users.withoutSkeleton(batch + 1)).length > batch;
}

/**
 * Computes missing skeletons of accounts, a few in each transaction.
 * When two existing names look alike, both stay: the younger one's skeletons get a number, which no username can
 * contain.
 */
export async function fillSkeletons({ users, transaction }: Pick<Database, "users" | "transaction">) {
  for (;;) {
    const filled = await transaction(async () => {
      const missing = await users.withoutSkeleton(batch);
      for (const { id, username } of missing) {
        const own = async (skeleton: string) =>
          (await users.skeletonTaken(skeleton, id)) ? `${skeleton}#${id}` : skeleton;
        const { usernameSkeleton, lowerCaseSkeleton } = skeletonsOf(username);
        await users.setSkeletons(id, {
          usernameSkeleton: await own(usernameSkeleton),
          lowerCaseSkeleton: await own(lowerCaseSkeleton),
        });
      }
      return missing.length;
    });
    if (filled < batch) return;
    await sleep(pauseMs);
  }
}
