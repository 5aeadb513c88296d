import { expect, test } from "vitest";
import { temporaryDatabaseUrl } from "../../testing/database.ts";
import { attackers } from "./attackers.ts";
import { trafficOf } from "./compare.ts";
import { floods } from "./floods.ts";
import { removals } from "./removals.ts";
import { scenarios } from "./scenarios.ts";
import { playThroughDatabase } from "./weir-database.ts";

test.each([...scenarios, ...attackers, ...removals].map((scenario) => [scenario.name, scenario] as const))(
  "%s comes to the same through the database as through the pure functions",
  async (_, scenario) => {
    const [traffic] = trafficOf({ ...scenario, posts: 1 }, 0.03);
    if (!traffic) throw new Error("There is no traffic.");
    expect(traffic.ratings.length).toBeGreaterThan(5);
    const { stars, answers } = await playThroughDatabase(temporaryDatabaseUrl(), {
      ...traffic,
      ratings: traffic.ratings.slice(0, 2_000),
    });
    expect(stars).toBe(0);
    expect(answers).toBe(0);
  },
);

test("a flood by new accounts comes to the same through the database as through the pure functions", async () => {
  for (const name of ["From birth, fast", "Below the limit, new"]) {
    const scenario = floods.find((each) => each.name === name);
    const [traffic] = scenario ? trafficOf({ ...scenario, posts: 1 }) : [];
    if (!traffic) throw new Error("There is no traffic.");
    const ratings = traffic.ratings.slice(0, 500);
    const { stars, answers } = await playThroughDatabase(temporaryDatabaseUrl(), { ...traffic, ratings });
    expect(stars).toBe(0);
    expect(answers).toBe(0);
  }
});
