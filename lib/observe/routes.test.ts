import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { routeOf, routes } from "./routes.ts";

/** The files of a folder that answer requests, and where. */
const answering: Record<string, (folder: string) => string> = {
  "page.tsx": (folder) => folder || "/",
  "route.ts": (folder) => folder,
  "manifest.ts": (folder) => `${folder}/manifest.webmanifest`,
  "robots.ts": (folder) => `${folder}/robots.txt`,
};

/** Routes that the server answers before the framework. */
const ofServer = ["/healthz", "/media/[file]"];

test("every route of the app is known, and no other", () => {
  const app = join(import.meta.dirname, "../../app");
  const found = readdirSync(app, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const folder = entry.parentPath.slice(app.length);
    return entry.isFile() ? (answering[entry.name]?.(folder) ?? []) : [];
  });
  expect([...routes].toSorted()).toEqual([...found, ...ofServer].toSorted());
});

test.each([
  ["/", "/"],
  ["/posts/new", "/posts/new"],
  ["/posts/news", "/posts/[slug]"],
  ["/posts/%D8%B3%D8%AF", "/posts/[slug]"],
  ["/posts/a/activity", "/posts/[slug]/activity"],
  ["/posts/new/edit", "/posts/[slug]/edit"],
  ["/posts/", "(no route)"],
  ["/posts", "(no route)"],
  ["/posts/a/b", "(no route)"],
  ["/posts//edit", "(no route)"],
  ["/wp-login.php", "(no route)"],
  ["", "(no route)"],
  ["*", "(no route)"],
  ["/constructor", "(no route)"],
  ["/api", "/api/[[...rest]]"],
  ["/api/posts", "/api/posts"],
  ["/api/posts/a/score", "/api/posts/[slug]/score"],
  ["/api/posts/a/scores", "/api/[[...rest]]"],
  ["/apiary", "(no route)"],
  ["/_next/static/x.js", undefined],
])("the route of %j is %j", (path, route) => {
  expect(routeOf(path)).toBe(route);
});

test("long addresses are not kept for their paths", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const query = `?${"x".repeat(100_000)}`;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 1_000; number += 1) {
    const address = Buffer.from(`/posts/a-post-with-the-number-${number}${query}`).toString("latin1");
    routeOf(address.slice(0, address.indexOf("?")));
  }
  collectGarbage();
  // A tenth of them.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan((1_000 * query.length) / 10);
});
