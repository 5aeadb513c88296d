import { describe, expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { prune } from "../../db/pruning.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, addUsers, contextOf, morning } from "../../testing/content.ts";
import { algorithmNames } from "../limiter/index.ts";
import { limitsFrom } from "../limits/index.ts";
import { createRating } from "../ratings/index.ts";
import { catchUp } from "../ratings/tally/saved-tally.ts";
import { scoringFrom } from "../ratings/tally/scoring-settings.ts";
import { sessionOf, startSession } from "../sessions/index.ts";
import { sessionLifetimesFrom } from "../sessions/lifetimes.ts";
import { durationMs } from "./durations.ts";
import { parseSettings } from "./env.ts";
import { ratingVariables } from "./rating-settings.ts";

/** A number of days or seconds that is not a whole number of milliseconds. */
const fraction = "0.3333337";
const fractions = {
  RATING_HOLD_DAYS: fraction,
  ATTEMPTS_KEPT_DAYS: fraction,
  NEW_ACCOUNT_HOURS: fraction,
  SETTLED_SCORE_UNIT_DAYS: fraction,
  SESSION_IDLE_DAYS: fraction,
  SESSION_MAXIMUM_DAYS: fraction,
};
const durations = algorithmNames
  .flatMap((name) => ratingVariables(name))
  .filter(({ description }) => description.type === "duration");
const limiterFractions = Object.fromEntries(durations.map(({ name }) => [name, fraction]));

/**
 * Floods a liked post with forty zeros, and uses a session, under these settings.
 * Returns the kinds of outcomes, the session, and the numbers of pruned rows.
 */
async function flood(database: Database, environment: Record<string, string>) {
  const settings = parseSettings(environment);
  const scoring = scoringFrom(settings);
  const context = { ...contextOf(database, limitsFrom(settings)), scoring };
  const { slug } = await addPost(database, await addUser(database, "author"));
  const users = await addUsers(database, 70);
  const kinds: string[] = [];
  let now = morning;
  for (const [index, user] of users.entries()) {
    now += index < 30 ? 600_000 : 100;
    const input = { score: index < 30 ? 5 : 0 };
    kinds.push((await createRating(context, { slug, user, address: "192.0.2.1", input, now })).kind);
  }
  const sessionLifetimes = sessionLifetimesFrom(settings);
  const token = await startSession(database, { userId: users[0]?.id ?? 0, now });
  const session = await sessionOf({ ...context, sessionLifetimes }, token, now + 1);
  const fail = (error: unknown) => {
    throw error;
  };
  await catchUp(database, now + durationMs(settings.RATING_HOLD_DAYS, "days"), scoring, fail);
  const removed = await prune(database, now + durationMs(settings.ATTEMPTS_KEPT_DAYS, "days"), {
    attemptsKeptMs: durationMs(settings.ATTEMPTS_KEPT_DAYS, "days"),
    sessionsIdleMs: sessionLifetimes.idleMs,
  });
  return { kinds: new Set(kinds), removed, session };
}

describe.each(newDatabases)("on %s", (_name, open) => {
  test("holds, counts and prunes with durations that are not whole milliseconds", async () => {
    const { kinds, removed, session } = await flood(await open(), { RATING_OVERFLOW: "hold", ...fractions });
    expect(kinds).toEqual(new Set(["saved", "held"]));
    expect(session).not.toBeNull();
    expect(removed.attempts).toBeGreaterThan(0);
    expect(removed.sessions).toBe(1);
  });

  test.each(algorithmNames)("limits by %s with durations that are not whole milliseconds", async (name) => {
    const { kinds } = await flood(await open(), { RATING_LIMITER: name, ...limiterFractions });
    expect(kinds).toContain("saved");
  });
});

test.each([...Object.keys(fractions), ...Object.keys(limiterFractions)])(
  "refuses a %s that is too short or too long",
  (name) => {
    const parse = (value: string) => () => parseSettings({ [name]: value });
    expect(parse("1e12")).toThrow(
      new RegExp(`${name}: must be a number .* to \\d+|${name}: must be at most`),
    );
    expect(parse("1e300")).toThrow(name);
    if (name !== "NEW_ACCOUNT_HOURS") expect(parse("1e-12")).toThrow(`${name}: must be at least`);
  },
);

test.each(["windowMs", "adaptMs"])("refuses a %s in LIMITS that is far too long", (setting) => {
  const algorithm = setting === "windowMs" ? { algorithm: "sliding-log", limit: 5 } : { algorithm: "ema" };
  const parse = (value: number) => () =>
    limitsFrom(
      parseSettings({ LIMITS: JSON.stringify({ "rating.post": { ...algorithm, [setting]: value } }) }),
    );
  expect(parse(1_000)).not.toThrow();
  for (const absurd of [1e16, 1e300]) expect(parse(absurd)).toThrow(setting);
});
