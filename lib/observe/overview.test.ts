import { expect, test } from "vitest";
import { addUser, limitsWith } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { hourMs, minuteMs } from "../time/units.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createLimitCounters } from "./limit-counters.ts";
import type { NodeReport } from "./node-report.ts";
import { nodeReporting } from "./node-report.ts";
import { hoursShown, overviewFor } from "./overview.ts";
import { createRouteClock } from "./route-times.ts";

const now = Date.UTC(2026, 2, 1, 12, 30);

async function blog(settings: Record<string, string> = {}) {
  const database = temporaryDatabase();
  const administrator = await addUser(database, "administrator", { isAdministrator: true });
  const overview = async (at = now) => {
    const found = await overviewFor({ database, limits: limitsWith(settings) }, administrator, at);
    return found.kind === "found" ? found : expect.fail("forbidden");
  };
  const node = (id: string) => {
    const counters = createLimitCounters();
    const routeClock = createRouteClock();
    const describe = nodeReporting({
      version: "build",
      databaseKind: "SQLite",
      limiterStoreKind: "redis",
      limiterStoreParts: [],
      routeClock,
    });
    const failures: unknown[] = [];
    const report = (error: unknown) => void failures.push(error);
    const heartbeat = createHeartbeat({
      database,
      node: { id, name: `host:${id}`, startedAt: now - hourMs },
      counters,
      describe,
      trusted: (at) => at,
      report,
    });
    return { counters, routeClock, heartbeat, failures };
  };
  return { database, overview, node };
}

test("is forbidden for a user who is not an administrator", async () => {
  const { database } = await blog();
  const user = await addUser(database, "user");
  expect(await overviewFor({ database, limits: limitsWith() }, user, now)).toEqual({ kind: "forbidden" });
});

test("reads a node's report as it was written, and null for a report of unknown shape", async () => {
  const { database, overview, node } = await blog();
  const { heartbeat, failures } = node("a");
  await heartbeat.beat(now);
  const strange = { from: "another version" };
  const other = { id: "b", name: "host:b", startedAt: now, seenAt: now, round: 1, report: strange };
  await database.operations.saveNode(other);
  expect(failures).toEqual([]);
  const { nodes } = await overview();
  expect(nodes.map(({ name }) => name)).toEqual(["host:a", "host:b"]);
  expect(nodes[0]?.report).toEqual({
    version: "build",
    database: { kind: "SQLite", pool: null },
    limiterStore: { kind: "redis", fault: null },
    eventLoopP99Ms: expect.any(Number),
    memoryBytes: expect.any(Number),
    routes: [],
  } satisfies NodeReport);
  expect(nodes[1]?.report).toBeNull();
});

test("reports why a limiter store cannot be used, without its address", async () => {
  const gone = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:6379"), { code: "ECONNREFUSED" });
  const report = await nodeReporting({
    version: null,
    databaseKind: "PostgreSQL",
    poolFigures: () => ({ size: 3, busy: 2, waiting: 1 }),
    limiterStoreKind: "redis",
    limiterStoreParts: [{ name: "limiter store", check: () => Promise.reject(gone) }],
    routeClock: createRouteClock(),
  })(now);
  expect(report).toMatchObject({
    database: { kind: "PostgreSQL", pool: { size: 3, busy: 2, waiting: 1 } },
    limiterStore: { fault: "cannot be used (ECONNREFUSED)" },
  });
});

test("marks a node silent after a minute without a heartbeat, and leaves out its routes", async () => {
  const { overview, node } = await blog();
  const [first, second] = [node("a"), node("b")];
  for (const [{ routeClock }, durationMs] of [
    [first, 100],
    [second, 10],
    [second, 30],
  ] as const)
    routeClock.record({ method: "GET", path: "/lab", durationMs }, now);
  second.routeClock.record({ method: "GET", path: "/", durationMs: 50 }, now);
  await first.heartbeat.beat(now);
  await second.heartbeat.beat(now + minuteMs);
  const both = await overview(now + minuteMs);
  expect(both.nodes.map(({ isSilent }) => isSilent)).toEqual([false, false]);
  expect(both.routes.map(({ route, count, meanMs }) => [route, count, meanMs])).toEqual([
    ["/lab", 3, 140 / 3],
    ["/", 1, 50],
  ]);
  const later = await overview(now + minuteMs + 1);
  expect(later.nodes.map(({ isSilent }) => isSilent)).toEqual([true, false]);
  expect(later.routes.map(({ route, count }) => [route, count])).toEqual([
    ["/", 1],
    ["/lab", 2],
  ]);
});

test("sums each limit's decisions of the last 24 hours over all nodes, hour by hour", async () => {
  const LIMITS = JSON.stringify({
    "rating.post.log": { mode: "shadow", algorithm: "sliding-log", limit: 2, windowMs: 1_000 },
  });
  const { overview, node } = await blog({ LIMITS });
  for (const { counters, heartbeat } of [node("a"), node("b")]) {
    counters.count("rating.post", "refused", now);
    counters.count("rating.post", "allowed", now - 23 * hourMs);
    counters.count("rating.post", "held", now - 30.5 * minuteMs);
    counters.count("rating.post", "refused", now - 24 * hourMs);
    counters.count("rating.post.log", "shadowWouldRefuse", now);
    counters.count("rating.post.gone", "refused", now);
    await heartbeat.beat(now);
  }
  const { limits, off } = await overview();
  expect(limits.map(({ name, policy }) => [name, policy?.name])).toEqual([
    ["rating.post", "rating.post"],
    ["rating.post.log", "rating.post.log"],
    ["rating.user", "rating.user"],
    ["rating.change", "rating.change"],
    ["post.user", "post.user"],
    ["post.render", "post.render"],
    ["post.preview", "post.preview"],
    ["media.user", "media.user"],
    ["review.user", "review.user"],
    ["register.address", "register.address"],
    ["register.network", "register.network"],
    ["register.wide-network", "register.wide-network"],
    ["register.site", "register.site"],
    ["register.known-networks", "register.known-networks"],
    ["login.address", "login.address"],
    ["login.account", "login.account"],
    ["login.delay", "login.delay"],
    ["login.known-browser", "login.known-browser"],
    ["login.second-factor", "login.second-factor"],
    ["reset.address", "reset.address"],
    ["reset.account", "reset.account"],
    ["email.user", "email.user"],
    ["subscribe.address", "subscribe.address"],
    ["subscribe.network", "subscribe.network"],
    ["subscribe.site", "subscribe.site"],
    ["password.user", "password.user"],
    ["search.address", "search.address"],
    ["search.wide-network", "search.wide-network"],
    ["lab.address", "lab.address"],
    ["lab.wide-network", "lab.wide-network"],
    ["image.address", "image.address"],
    ["image.wide-network", "image.wide-network"],
    ["export.user", "export.user"],
    ["api.token", "api.token"],
    ["rating.post.gone", undefined],
  ]);
  expect(off).toEqual(["rating.address"]);
  const sumsOf = (name: string) => limits.find((limit) => limit.name === name)?.sums;
  expect(sumsOf("rating.post")).toEqual({ refused: 2, allowed: 2, held: 2, shadowWouldRefuse: 0 });
  expect(sumsOf("rating.post.log")).toEqual({ refused: 0, allowed: 0, held: 0, shadowWouldRefuse: 2 });
  expect(sumsOf("rating.user")).toEqual({ refused: 0, allowed: 0, held: 0, shadowWouldRefuse: 0 });
  const [{ hours } = expect.fail()] = limits;
  const last = Math.floor(now / hourMs);
  expect(hours.map(({ hour }) => hour)).toEqual(
    Array.from({ length: hoursShown }, (_, index) => last - 23 + index),
  );
  expect([hours[0]?.allowed, hours[22]?.held, hours[23]?.refused]).toEqual([2, 2, 2]);
});
