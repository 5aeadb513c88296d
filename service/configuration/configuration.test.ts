import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/database.ts";
import { configurationReader, faultLines } from "./index.ts";
import { valuesIn } from "./values.ts";

const demo = '{"algorithm": "fixed-window", "limit": 5, "windowMs": 800}';

/**
 * The faults of a configuration file as a person writes it, one line each.
 * None when it is right.
 */
async function faultsOf(text: string | Buffer, files: Record<string, string> = {}): Promise<string[]> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "folder"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const file = join(folder, "limiter.json");
  writeFileSync(file, text);
  const reading = await configurationReader(file)();
  if (!("faults" in reading)) return [];
  return faultLines("limiter.json", reading.faults).map((line) => line.replaceAll(folder, "FOLDER"));
}

/** A file whose lines 3 and on are these policies. */
const withPolicies = (...lines: string[]) =>
  ["{", '"policies": {', ...lines, "},", '"default": "demo", "store": "memory"', "}"].join("\n");
/** A file whose line 2 is this store. */
const withStore = (store: string) =>
  ["{", `"store": ${store},`, `"policies": {"demo": ${demo}}, "default": "demo"`, "}"].join("\n");

test.each([
  ["a file that is right", withPolicies(`"demo": ${demo}`)],
  [
    "comments, and a mark of the encoding before all",
    `\uFEFF// what it is\n${withPolicies(`"demo": /* x */ ${demo}`)}`,
  ],
  [
    "modes, outages and shares",
    withPolicies(
      '"demo": {"algorithm": "leaky-bucket", "capacity": 20, "leakPerSecond": 10, "mode": "shadow", "outage": "local", "localShare": 0.25}',
    ),
  ],
  ["an SQLite file beside it", withStore('"sqlite:limiter.db"')],
  ["an SQLite file in a folder", withStore('"sqlite:folder/limiter.db"')],
  ["a Redis", withStore('"redis://127.0.0.1:6379"')],
  [
    "a Redis with all that an address has",
    withStore('"rediss://limiter:se%25cret@redis.example.org:6380/2"'),
  ],
])("%s", async (_, text) => {
  expect(await faultsOf(text)).toEqual([]);
});

test.each<[string, string | Buffer, string[]]>([
  ["nothing", "", ["limiter.json:1: is empty: write a configuration"]],
  ["only a comment", "// later", ["limiter.json:1: a value is missing here"]],
  ["no object", "[]", ["limiter.json:1: the configuration: must be an object"]],
  [
    "no JSON at all",
    "policies:\n  demo: 5",
    [expect.stringMatching(/^limiter.json:1: policies is not JSON: texts/)],
  ],
  ["not text", Buffer.from([0xff, 0xfe, 0x00]), ["limiter.json: cannot be read: it is not text in UTF-8"]],
  [
    "a comma that is missing",
    `{\n"policies": {"demo": ${demo}}\n\n"default": "demo", "store": "memory"}`,
    ["limiter.json:2: a comma is missing after this line's last value"],
  ],
  [
    "a comma too many",
    `{"policies": {"demo": ${demo}},\n"default": "demo", "store": "memory",\n}`,
    ["limiter.json:2: the comma before } is one too many"],
  ],
  [
    "no end",
    `{"policies": {"demo": ${demo}},\n"default": "demo",\n"store": "memory"\n\n`,
    ["limiter.json:3: a closing } is missing at the end"],
  ],
  [
    "single quotes",
    "{\n'default': 'demo'}",
    [expect.stringMatching(/^limiter.json:2: 'default' is not JSON: texts and names stand in double quotes/)],
  ],
  [
    "a name that is there twice",
    withPolicies(
      `"demo": ${demo},`,
      '"other": {"algorithm": "sliding-log", "limit": 1,',
      '"limit": 2, "windowMs": 5}',
    ),
    ['limiter.json:5: "limit" is here twice, first in line 4: keep one'],
  ],
  [
    "a name of more than a line",
    withPolicies(`"demo": ${demo},`, `"two\\nlines": ${demo}`),
    ['limiter.json:4: policies."two\\nlines": must have a name without control characters'],
  ],
  [
    "a name that would be lost",
    withPolicies(`"demo": ${demo},`, '"__proto__": {}'),
    ["limiter.json:4: __proto__ cannot be a name: write another"],
  ],
  [
    "too many objects in each other",
    "[".repeat(100_000),
    ["limiter.json:1: nests too many objects in each other"],
  ],
  [
    "no policies, no default, no store",
    "{\n}",
    [
      "limiter.json:1: policies: is missing: it must be an object of policies, each by its name",
      "limiter.json:1: default: is missing: it must be the name of a policy",
      "limiter.json:1: store: is missing: it must be memory, sqlite:FILE, or the address of a Redis",
    ],
  ],
  [
    "policies of the wrong kind",
    '{"policies": [], "default": 5,\n"store": true, "rules": {}}',
    [
      "limiter.json:1: policies: must be an object of policies, each by its name",
      "limiter.json:1: default: must be the name of a policy",
      "limiter.json:2: store: must be memory, sqlite:FILE, or the address of a Redis",
      "limiter.json:2: rules: must be a list of rules",
    ],
  ],
  [
    "no policy",
    '{"policies": {},\n"default": "demo", "store": "memory"}',
    [
      "limiter.json:1: policies: must have one policy at least",
      expect.stringMatching(/^limiter.json:2: default: must be/),
    ],
  ],
  [
    "an unknown key",
    `{"policies": {"demo": ${demo}}, "default": "demo", "store": "memory",\n"polices": {}}`,
    [
      "limiter.json:2: polices: is not known. Did you mean policies? There are policies, default, store, rules, peers",
    ],
  ],
  [
    "a default that is not a policy",
    `{"policies": {"demo": ${demo}},\n"default": "dmeo", "store": "memory"}`,
    ["limiter.json:2: default: must be the name of a policy, one of demo"],
  ],
  [
    "a policy that is none",
    withPolicies(`"demo": ${demo},`, '"other": 5,', '"": {"algorithm": "ema"}'),
    [
      "limiter.json:4: policies.other: must be an object with an algorithm and its parameters",
      'limiter.json:5: policies."": must have a name of 1 to 200 characters',
    ],
  ],
  [
    "an unknown algorithm, or none",
    withPolicies('"demo": {', '"algorithm": "fixed-windw"},', '"other": {"limit": 5}'),
    [
      expect.stringMatching(/^limiter.json:4: policies.demo.algorithm: must be one of leaky-bucket, /),
      expect.stringMatching(
        /^limiter.json:5: policies.other.algorithm: is missing: it must be one of leaky-bucket, /,
      ),
    ],
  ],
  [
    "windowMs that is missing",
    withPolicies(
      '"demo": {"algorithm": "fixed-window", "limit": 5},',
      '"other": {"algorithm": "sliding-log",',
      '"limit": 5}',
    ),
    [
      "limiter.json:3: policies.demo.windowMs: is missing",
      "limiter.json:4: policies.other.windowMs: is missing: it must be a number",
    ],
  ],
  [
    "a limit below 0, and text for a number",
    withPolicies(
      '"demo": {"algorithm": "fixed-window",',
      '"limit": -1,',
      '"windowMs": 800},',
      '"other": {"algorithm": "sliding-log", "limit": 5,',
      '"windowMs": "800"}',
    ),
    [
      "limiter.json:4: policies.demo.limit: must be a finite number above 0, but is -1",
      "limiter.json:7: policies.other.windowMs: must be a number",
    ],
  ],
  [
    "numbers that an algorithm cannot do with",
    withPolicies(
      `"demo": ${demo},`,
      '"a": {"algorithm": "sliding-log", "windowMs": 5,',
      '"limit": 5000},',
      '"b": {"algorithm": "token-bucket", "refillPerSecond": 1,',
      '"capacity": 1e999},',
      '"c": {"algorithm": "tiered", "freePerDay": 5,',
      '"beyond": {"algorithm": "sliding-log", "windowMs": 5,',
      '"limit": 0.5}},',
      '"d": {"algorithm": "fixed-window", "limit": 5, "anchor": "calendar-day",',
      '"timeZone": "Mars/Base"}',
    ),
    [
      expect.stringMatching(
        /^limiter.json:5: policies.a.limit: must be at most 1000, because each request is logged/,
      ),
      "limiter.json:7: policies.b.capacity: must be a number",
      "limiter.json:10: policies.c.beyond.limit: must be a whole number, but is 0.5",
      expect.stringMatching(
        /^limiter.json:12: policies.d.timeZone: "Mars\/Base" is not known here: give a name/,
      ),
    ],
  ],
  [
    "settings that an algorithm does not have",
    withPolicies('"demo": {"algorithm": "fixed-window", "windowMs": 800, "limit": 5,', '"limt": 5}'),
    [
      "limiter.json:4: policies.demo.limt: is not known. Did you mean limit? The settings of fixed-window are limit, windowMs, anchor, timeZone, mode, outage, localShare",
    ],
  ],
  [
    "modes and outages that there are not",
    withPolicies(
      '"demo": {"algorithm": "fixed-window", "windowMs": 800, "limit": 5,',
      '"mode": "on",',
      '"outage": "shut",',
      '"localShare": 2}',
    ),
    [
      "limiter.json:4: policies.demo.mode: must be enforce, shadow or off",
      "limiter.json:5: policies.demo.outage: must be closed, open or local",
      "limiter.json:6: policies.demo.localShare: must be at most 1",
    ],
  ],
  [
    "a store that there is not",
    withStore('"postgres://limiter:hidden@127.0.0.1/limiter"'),
    [
      expect.stringMatching(
        /^limiter.json:2: store: must be memory, sqlite:FILE, or the address of a Redis such as/,
      ),
    ],
  ],
  [
    "an SQLite store without a file",
    withStore('"sqlite:"'),
    [expect.stringMatching(/^limiter.json:2: store: must be/)],
  ],
  [
    "an SQLite store in a folder that is not there",
    withStore('"sqlite:data/limiter.db"'),
    [
      "limiter.json:2: store: names FOLDER/data/limiter.db, but there is no folder FOLDER/data: make it, or name another file",
    ],
  ],
  [
    "an SQLite store that is a folder",
    withStore('"sqlite:folder"'),
    ["limiter.json:2: store: names FOLDER/folder, which is a folder: name a file"],
  ],
  [
    "a Redis without a host",
    withStore('"redis:"'),
    [expect.stringMatching(/^limiter.json:2: store: must be/)],
  ],
  [
    "a password with a bare %",
    withStore('"redis://:hid%den@127.0.0.1"'),
    [expect.not.stringContaining("hid")],
  ],
])("%s", async (_, text, faults) => {
  expect(await faultsOf(text)).toEqual(faults);
});

/** A file whose lines 3 and on are these rules. */
const withRules = (...lines: string[]) =>
  [
    `{"policies": {"demo": ${demo}}, "default": "demo", "store": "memory",`,
    '"rules": [',
    ...lines,
    "]}",
  ].join("\n");

test.each<[string, string[], unknown[]]>([
  [
    "rules that are right",
    ['{"name": "a", "when": {"inFile": "x", "user": {"inFile": "users.txt"}}, "policy": "demo"}'],
    [],
  ],
  [
    "a rule that is none",
    ["5"],
    ["limiter.json:3: rules[0]: must be an object with a name, and a policy or an answer"],
  ],
  [
    "a policy that there is not",
    ['{"name": "a", "policy": "demo"},', '{"name": "b",', '"policy": "dmeo"}'],
    ['limiter.json:5: rules[1].policy: there is no policy "dmeo". Did you mean demo? There are demo'],
  ],
  [
    "neither a policy nor an answer, and both",
    ['{"name": "a"},', '{"name": "b", "policy": "demo", "answer": "deny"}'],
    [
      expect.stringMatching(/^limiter.json:3: rules\[0\]: must have either a policy or an answer/),
      expect.stringMatching(/^limiter.json:4: rules\[1\]: must have either a policy or an answer/),
    ],
  ],
  [
    "a name that another has",
    ['{"name": "a", "policy": "demo"},', "{", '"name": "a", "policy": "demo"}'],
    [
      expect.stringMatching(
        /^limiter.json:5: rules\[1\].name: the name "a" is that of the rule with number 1 already/,
      ),
    ],
  ],
  [
    "no name, and unknown keys",
    ['{"polcy": "demo",', '"policy": "demo",', '"nmae": "a"}'],
    [
      expect.stringMatching(/^limiter.json:3: rules\[0\].name: is missing: it must be text/),
      expect.stringMatching(
        /^limiter.json:3: rules\[0\]: knows no "polcy" and no "nmae". Did you mean policy and name\? There are name, when/,
      ),
      expect.stringMatching(
        /^limiter.json:5: rules\[0\]: knows no "polcy" and no "nmae". Did you mean policy and name\? There are name, when/,
      ),
    ],
  ],
  [
    "conditions that are none",
    [
      '{"name": "a", "policy": "demo", "when": {',
      '"address": {"cidr": "10.0.0.0/33"},',
      '"user": {"equls": "ada"},',
      '"age": {"from": 5,',
      '"to": 4},',
      '"role": null',
      "}}",
    ],
    [
      expect.stringMatching(
        /^limiter.json:4: rules\[0\].when.address.cidr\[0\]: must be an address or a range/,
      ),
      expect.stringMatching(
        /^limiter.json:5: rules\[0\].when.user: knows no "equls". Did you mean equals\? There are equals, /,
      ),
      expect.stringMatching(/^limiter.json:7: rules\[0\].when.age.to: must not be below from/),
      expect.stringMatching(/^limiter.json:8: rules\[0\].when.role: must be a value, a list of values/),
    ],
  ],
  [
    "files of values that cannot be read",
    [
      '{"name": "a", "policy": "demo", "when": {"user": {',
      '"not": {',
      '"inFile": "gone.txt"}}}},',
      '{"name": "b", "policy": "demo", "when": {"user": {"inFile": "folder"},',
      '"friend": {"inFile": "users.txt"}}}',
    ],
    [
      "limiter.json:5: rules[0].when.user.not.inFile: FOLDER/gone.txt cannot be read: there is no such file",
      "limiter.json:6: rules[1].when.user.inFile: FOLDER/folder cannot be read: it is not a file",
    ],
  ],
])("%s", async (_, lines, faults) => {
  expect(await faultsOf(withRules(...lines), { "users.txt": "ada\n" })).toEqual(faults);
});

test("does not report a rule's policy as missing when that policy has a fault", async () => {
  const text = `{"policies": {"demo": ${demo},\n"other": {"algorithm": "sliding-log", "limit": 0, "windowMs": 1}},
    "default": "demo", "store": "memory", "rules": [{"name": "a", "policy": "other"}]}`;
  expect(await faultsOf(text)).toEqual([
    "limiter.json:2: policies.other.limit: must be a finite number above 0, but is 0",
  ]);
});

test("reads values from a file's lines, except blank ones and those that begin with #", () => {
  expect([...valuesIn("ada\r\n\n# comment\n  grace  \n#\nada\nlast")]).toEqual(["ada", "grace", "last"]);
});

test("reports a missing file, and a folder", async () => {
  const folder = temporaryFolder();
  for (const [file, message] of [
    [join(folder, "limiter.json"), "limiter.json: cannot be read: there is no such file"],
    [folder, "limiter.json: cannot be read: it is not a file"],
  ] as const) {
    const reading = await configurationReader(file)();
    expect("faults" in reading && faultLines("limiter.json", reading.faults)).toEqual([message]);
  }
});

test("finds no faults in the example", async () => {
  expect(await configurationReader(join(import.meta.dirname, "../../limiter.json"))()).toMatchObject({
    configuration: { default: "demo", store: { kind: "memory" } },
  });
});
