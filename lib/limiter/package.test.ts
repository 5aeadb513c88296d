import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippet } from "../../testing/snippets.ts";

/** A project outside of this repository that has nothing but the package. */
const project = mkdtempSync(join(tmpdir(), "weir-limiter-project-"));
const packed = join(project, "node_modules/weir-limiter");
const node = oldestNode();
const installs = snippet("lib/limiter/README.md", "npm install ./weir-limiter");

const program = `
import { createLimiter, memoryStore, gcra, slidingWindowCounter, rateLimitHeaders } from "weir-limiter";
import { redisStore } from "weir-limiter/redis";
import { limiterClient } from "weir-limiter/client";

const limiter = createLimiter({ algorithm: gcra({ capacity: 2, ratePerSecond: 1 }), store: memoryStore(), clock: () => 0 });
await limiter.consume("key", 2);
const refused = await limiter.consume("key");
const waited = await limiter.wait("other", { maxWaitMs: 10 });
console.log(refused.retryAfterMs, rateLimitHeaders("demo", refused)["Retry-After"], waited.allowed);
console.log(typeof slidingWindowCounter, typeof redisStore, typeof limiterClient);
`;

beforeAll(() => {
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ["npm"];
  const pack = [...first, "pack", "--offline", "--silent", "--pack-destination", project];
  execFileSync(command ?? "npm", pack, { cwd: import.meta.dirname, stdio: "pipe" });
  writeFileSync(join(project, "package.json"), '{"type": "module"}');
  const env = { ...process.env, npm_config_offline: "true", npm_config_audit: "false" };
  execFileSync("sh", ["-e", "-c", installs], { cwd: project, env, stdio: "pipe" });
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the package, from its tarball alone", () => {
  it("holds the built modules, the README and the license, and no source or test", () => {
    expect(readdirSync(packed).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    const license = (folder: string) => readFileSync(join(folder, "LICENSE"), "utf8");
    expect(license(packed)).toBe(license(join(import.meta.dirname, "../..")));
  });

  it(`runs in a plain ESM project, on Node.js ${versionOf(node)}`, () => {
    writeFileSync(join(project, "program.js"), program);
    const printed = execFileSync(node, ["program.js"], { cwd: project, encoding: "utf8" });
    expect(printed).toBe("1000 1 true\nfunction function function\n");
  });

  it.each(["nodenext", "bundler"])(
    "type-checks under strict with module resolution %s, libraries included",
    (moduleResolution) => {
      writeFileSync(join(project, "program.ts"), program);
      const module = moduleResolution === "bundler" ? "esnext" : "nodenext";
      const settings = { strict: true, noEmit: true, skipLibCheck: false, target: "es2022", types: [] };
      const compilerOptions = { ...settings, module, moduleResolution };
      writeFileSync(
        join(project, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["program.ts"] }),
      );
      const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
      const check = () => execFileSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
      expect(check()).toBe("");
    },
  );

  it.each([
    [".", []],
    ["./redis", ["node:crypto"]],
    ["./client", ["node:crypto"]],
  ])("bundles %s for a browser, but for the Node built-ins %j", async (entry, external) => {
    const { dependencies, exports } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
    expect(dependencies).toBeUndefined();
    const { outputFiles } = await build({
      entryPoints: [join(packed, exports[entry].default)],
      bundle: true,
      platform: "browser",
      format: "esm",
      external,
      write: false,
      logLevel: "silent",
    });
    expect(outputFiles).toHaveLength(1);
  });
});

/** The oldest installed Node.js from 20 on: npm's, on the path, or this process's. */
function oldestNode(): string {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  const all = [process.execPath, process.env.npm_node_execpath, ...onPath]
    .filter((path) => path !== undefined)
    .filter((path) => existsSync(path) && Number.parseInt(versionOf(path), 10) >= 20);
  const [oldest = process.execPath] = all.toSorted(
    (a, b) => Number.parseInt(versionOf(a), 10) - Number.parseInt(versionOf(b), 10),
  );
  return oldest;
}

function versionOf(node: string): string {
  return execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
}
