/** `npm run user -- disable …` and `enable …`: one account or many, with their ratings. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, UserRow } from "../../db/index.ts";
import { changeAccounts, moveSomeRatings } from "../../lib/disabling/index.ts";
import { replayRequested } from "../../lib/ratings/saved-replay.ts";
import { scoring } from "../../lib/ratings/scoring.ts";
import { accountsNamed, accountsRegistered } from "../../lib/users/manage.ts";
import { fileFrom, type Outcome, progress, WrongUsage } from "../operation.ts";

const { Failure } = await import("../../db/failure.ts");

export interface Selection {
  names: readonly string[];
  file: string | undefined;
  /** With it, the one name is the time at which the span ends. */
  registeredFrom: string | undefined;
  why: string | undefined;
  dryRun: boolean;
}

export async function changeDisabled(
  context: { database: Database },
  command: "disable" | "enable",
  selection: Selection,
  now: number,
): Promise<Outcome> {
  const accounts = await selected(context, command, selection);
  const disabled = command === "disable";
  const { dryRun, why = null } = selection;
  const changed = await changeAccounts(context, accounts, { disabled, why, now, dryRun });
  if (accounts.length === 1 && changed.refused.length === 1)
    throw new Failure(
      `${changed.refused[0]} is the only administrator who can log in: promote another user first.`,
    );
  if (!dryRun) await moveRatings(context, changed.ratings);
  const { usernames, ratings, posts, refused } = changed;
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

async function selected(
  context: { database: Database },
  command: string,
  { names, file, registeredFrom }: Selection,
): Promise<UserRow[]> {
  if (registeredFrom !== undefined) {
    const [to = ""] = names;
    if (names.length !== 1 || file !== undefined)
      throw new WrongUsage("--registered-between needs FROM and TO, and nothing else.");
    return accountsRegistered(context, timeOf(registeredFrom), timeOf(to));
  }
  const given = file === undefined ? names : [...names, ...namesIn(fileFrom(file))];
  if (given.length === 0) throw new WrongUsage(`${command} needs a NAME, --file or --registered-between.`);
  const { accounts, missing } = await accountsNamed(context, given);
  if (missing.length === 1) throw new Failure(`There is no user ${missing[0]}.`);
  if (missing.length > 1) throw new Failure(`There are no users ${missing.join(", ")}. Nothing was changed.`);
  return accounts;
}

function namesIn(path: string): string[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/** Milliseconds; a date alone is its start in UTC. */
function timeOf(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new WrongUsage(`${JSON.stringify(text)} is not a time such as 2026-03-01 or 2026-03-01T09:30Z.`);
  return time;
}

/**
 * Moves the ratings here, so that no server has to run, and replays what that needs; a server at work on the same takes its
 * share, and what it has begun is waited for.
 */
async function moveRatings({ database }: { database: Database }, total: number): Promise<void> {
  const bar = progress();
  let steps = 0;
  do {
    for (; await moveSomeRatings({ database, scoring }, Date.now()); steps += 1)
      bar.show("Ratings", Math.min(steps, total), total);
    await sleep(100);
  } while (await database.accountChanges.isWaiting());
  while ((await database.replays.waiting(1)).length > 0) {
    const replayed = await replayRequested(database, Date.now, scoring, (error) => {
      throw error;
    });
    if (replayed === 0) await sleep(100); // a server is at it
  }
  bar.stop();
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
