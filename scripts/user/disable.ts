/**
 * `npm run user -- disable …` and `enable …`.
 * One account or many, with their ratings.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import { changeSelected, momentFrom, moveSomeRatings } from "../../lib/account-changes/index.ts";
import { replayRequested } from "../../lib/ratings/tally/background-replay.ts";
import { scoring } from "../../lib/ratings/tally/scoring-settings.ts";
import { trustedTimeOf } from "../../lib/time/trusted-time.ts";
import { fileFrom, type OperationOutcome, progress, WrongUsage } from "../operation.ts";

const { Failure } = await import("../../db/failure.ts");

interface AccountArguments {
  names: readonly string[];
  file: string | undefined;
  /** With it, the one name is the time at which the span ends. */
  registeredFrom: string | undefined;
}

export async function changeDisabled(
  context: { database: Database },
  command: "disable" | "enable",
  change: ReturnType<typeof accountsOf> & { why: string | undefined; dryRun: boolean },
  now: number,
): Promise<OperationOutcome> {
  const disabled = command === "disable";
  const { dryRun } = change;
  const outcome = await changeSelected(context, { actor: null, input: { ...change, disabled }, now });
  if (outcome.kind === "forbidden") throw new Error("The operator may change every account");
  if (outcome.kind === "invalid") throw new Failure(Object.values(outcome.errors).flat().join(" "));
  const { usernames, ratings, posts, refused } = outcome;
  if (usernames.length === 0 && refused.length > 0)
    throw new Failure(`${refused[0]} is the only administrator who can log in: promote another user first.`);
  if (!dryRun) await moveRatings(context, ratings);
  const json = { dryRun, usernames, ratings, posts, refused };
  const count = amount(usernames.length, "account");
  const what = `${amount(ratings, "rating")} of ${amount(posts, "post")}`;
  const done = disabled ? "disabled" : "enabled";
  const lines = [
    dryRun ? `${count} would be ${done}:` : `${count} ${usernames.length === 1 ? "is" : "are"} ${done}:`,
    disabled
      ? `${what} ${dryRun ? "would leave" : "left"} the scores.`
      : `${what} ${dryRun ? "would return" : "returned"} to the scores.`,
    ...refused.map((name) => `${name} was not changed: the only administrator who can log in.`),
  ];
  return { json, lines };
}

/** The accounts of a command as `changeSelected` takes them. Throws at wrong usage. */
export function accountsOf(command: string, { names, file, registeredFrom }: AccountArguments) {
  if (registeredFrom !== undefined) {
    const [registeredBefore = ""] = names;
    if (names.length !== 1 || file !== undefined)
      throw new WrongUsage("--registered-between needs FROM and TO, and nothing else.");
    for (const text of [registeredFrom, registeredBefore])
      if (momentFrom(text) === undefined)
        throw new WrongUsage(
          `${JSON.stringify(text)} is not a time such as 2026-03-01 or 2026-03-01T09:30Z.`,
        );
    return { registeredFrom, registeredBefore };
  }
  const usernames = file === undefined ? [...names] : [...names, ...namesIn(fileFrom(file))];
  if (usernames.length === 0)
    throw new WrongUsage(`${command} needs a NAME, --file or --registered-between.`);
  return { usernames };
}

function namesIn(path: string): string[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/**
 * Moves the ratings here, so that no server has to run, and replays where needed.
 * A server that runs meanwhile takes its share, and the command waits for its current step.
 */
async function moveRatings({ database }: { database: Database }, total: number): Promise<void> {
  const bar = progress();
  const now = await trustedTimeOf(database);
  let steps = 0;
  do {
    for (; await moveSomeRatings({ database, scoring }, now); steps += 1)
      bar.show("Ratings", Math.min(steps, total), total);
    await sleep(100);
  } while (await database.accountChanges.isWaiting());
  while ((await database.replays.waiting(1)).length > 0) {
    const replayed = await replayRequested(
      database,
      () => now,
      scoring,
      (error) => {
        throw error;
      },
    );
    if (replayed === 0) await sleep(100); // a server is replaying it
  }
  bar.stop();
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
