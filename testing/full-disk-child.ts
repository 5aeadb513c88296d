/**
 * Saves 32 limiter states in as many transactions at once.
 * Prints the key of each state that is saved, and the error's code for each other one.
 */
import { openDatabase } from "../db/index.ts";

const [url = ""] = process.argv.slice(2);
const { limiterStates, transaction } = await openDatabase(url);
const state = "x".repeat(40_000);
const saves = Array.from({ length: 32 }, async (_, number) => {
  const key = `state-${number}`;
  await transaction(() => limiterStates.save([{ key, state, expiresAt: 2 }], 1));
  return key;
});
const lines = (await Promise.allSettled(saves)).map((outcome) =>
  outcome.status === "fulfilled" ? outcome.value : outcome.reason.code,
);
process.stdout.write(`${lines.join("\n")}\n`, () => process.exit());
