import { expect, test } from "vitest";
import { morning } from "../../../testing/content.ts";
import { temporaryDatabase } from "../../../testing/database.ts";

test("keeps a state's place in the index when its expiry moves, and expires it on time", async () => {
  const { limiterStates, sqlite } = temporaryDatabase();
  const rowGoesAt = sqlite.prepare<[], number>("select expires_at from limiter_states").pluck();
  const save = (state: unknown, expiresAt: number, now: number) =>
    limiterStates.save([{ key: "a", state, expiresAt }], now);
  for (let ms = 0; ms <= 100; ms += 1) {
    await save({ ms }, morning + ms + 100, morning + ms);
    expect(rowGoesAt.get()).toBe(morning + 200);
  }
  expect(await limiterStates.load(["a"], morning + 199)).toEqual([{ ms: 100 }]);
  expect(await limiterStates.load(["a"], morning + 200)).toEqual([undefined]);
  await save(1, morning + 201, morning + 101);
  expect(rowGoesAt.get()).toBe(morning + 301);
  await save(1, morning + 102, morning + 101);
  expect(rowGoesAt.get()).toBe(morning + 103);
});

test("ignores a row of an earlier version, which has only the state", async () => {
  const { limiterStates, sqlite } = temporaryDatabase();
  sqlite.exec(`insert into limiter_states values ('a', '{"level":1}', ${morning})`);
  expect(await limiterStates.load(["a"], morning - 1)).toEqual([undefined]);
});

test("prunes a few long expired rows when saving, and none that is valid", async () => {
  const { limiterStates, sqlite } = temporaryDatabase();
  const keys = () => sqlite.prepare<[], string>("select key from limiter_states order by key").pluck().all();
  const save = (key: string, state: unknown, expiresAt: number | undefined, now: number) =>
    limiterStates.save([{ key, state, expiresAt }], now);
  for (const key of ["a", "b", "c"]) await save(key, 1, morning + 10, morning);
  await save("d", 1, undefined, morning);
  await save("e", 1, morning + 1_000, morning + 19);
  expect(keys()).toEqual(["a", "b", "c", "d", "e"]);
  await save("e", 2, morning + 1_000, morning + 20);
  expect(keys()).toHaveLength(3);
  await save("e", 3, morning + 1_000, morning + 21);
  expect(keys()).toEqual(["d", "e"]);
});
