import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  countDatabaseRetry,
  countingOutages,
  countMail,
  metrics,
  scrape,
  setFloodFigures,
  setMailFigures,
  setPoolFigures,
  setReplayFigures,
} from "./metrics.ts";

const dashboard = z.object({
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      type: z.string(),
      gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
      targets: z.array(z.object({ expr: z.string(), refId: z.string() })).default([]),
    }),
  ),
});

const file = join(import.meta.dirname, "../../deploy/grafana-dashboard.json");
const { panels } = dashboard.parse(JSON.parse(readFileSync(file, "utf8")));
const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

/** A scrape after every metric was counted once, so that it has its labels. */
async function everyFigure(): Promise<string> {
  const all = metrics();
  all.requests.inc({ method: "GET", kind: "page", status: "2xx" });
  all.requestSeconds.observe({ method: "GET", kind: "page" }, 0.1);
  all.pageCache.inc({ result: "hit" });
  all.ratingAttempts.inc({ decision: "accepted", policy: "rating.post" });
  all.limitDecisions.inc({ policy: "rating.post", decision: "allowed" });
  all.limiterSeconds.observe({ store: "database" }, 0.1);
  countDatabaseRetry("serialization");
  countingOutages(() => {})(new Error("gone"), "rating.post");
  setPoolFigures(() => ({ size: 1, busy: 0, waiting: 0 }));
  setFloodFigures(() => Promise.reject(new Error("gone")));
  await scrape();
  setFloodFigures(async () => ({ running: 0, over: 0 }));
  setReplayFigures(async () => ({ posts: 0 }));
  setMailFigures(async () => ({ waiting: 0, givenUp: 0 }));
  countMail("sent");
  return (await scrape()).text;
}

/** Each metric's labels by the metric's name. */
async function labelsByName(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of (await everyFigure()).matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set(["job", "instance"]);
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

test.each(expressions)("%s: %s uses metrics and labels that exist", async (_, expression) => {
  const figures = await labelsByName();
  const names = [...expression.matchAll(/\b(?:weir|nodejs|process)_\w+/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(0);
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
  const selected = [...expression.matchAll(/(\w+)(?:=|!=|=~)"/g)].map(([, label = ""]) => label);
  for (const name of names) {
    expect([...figures.keys()]).toContain(name);
    for (const label of [...grouped, ...selected]) expect([...(figures.get(name) ?? [])]).toContain(label);
  }
});

test("every metric of Weir's own is on the dashboard", async () => {
  const shown = expressions.map(([, expression]) => expression).join(" ");
  const own = [...(await everyFigure()).matchAll(/^# TYPE (weir_\w+) /gm)].map(([, name = ""]) => name);
  expect(own.length).toBeGreaterThan(8);
  for (const name of own) expect(shown).toContain(name);
});

test("no two panels share an id or overlap", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: h * w }, (__, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});
