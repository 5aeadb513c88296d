/** `npm run cluster` as a user tries it, and the settings that a node refuses. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { childEnvironment } from "../../testing/child-process.ts";

test("npm run cluster prints its addresses, answers there, and Ctrl-C ends all of it", async () => {
  // A group of its own: a Ctrl-C reaches each process of it.
  const cluster = start("npm", ["run", "cluster"]);
  const output = await cluster.printed("Ctrl-C ends all of it.");
  const origins = [...output.matchAll(/^(?:nginx|node \d).*(http:\/\/[\d.:]+)/gm)].map(
    ([, origin]) => origin,
  );
  expect(origins).toHaveLength(3);
  for (const origin of origins) expect((await fetch(`${origin}/`)).status).toBe(200);
  expect(output).toMatch(/^PostgreSQL\s+127\.0\.0\.1:\d+$/m);
  expect(output).toMatch(/^Redis\s+redis:\/\/127\.0\.0\.1:\d+$/m);

  const all = descendantsOf(cluster.pid);
  // Two nodes, nginx and its workers, PostgreSQL and its own, Redis, and their parent processes.
  expect(all.length).toBeGreaterThan(10);
  process.kill(-cluster.pid, "SIGINT");
  expect(await cluster.exit).toBeOneOf([0, 130]);
  await expect.poll(() => all.filter(isThere)).toEqual([]);
});

test("ends every process of the cluster when its parent is killed", async () => {
  const cluster = start(process.execPath, ["scripts/cluster/run-cluster.ts", "--nodes", "1"]);
  await cluster.printed("Ctrl-C ends all of it.");
  const all = descendantsOf(cluster.pid);
  process.kill(cluster.pid, "SIGKILL");
  await expect.poll(() => all.filter(isThere)).toEqual([]);
});

const shared = {
  NODES: "2",
  DATABASE_URL: "postgres://weir@127.0.0.1:1/weir",
  REDIS_URL: "redis://127.0.0.1:2",
  LIMITER_STORE: "redis",
  AUTH_SECRET: "a secret of the tests of several nodes",
  NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  MEDIA_FOLDER: "/srv/media",
};

test.each([
  { name: "SQLite", setting: "DATABASE_URL", value: "file:./data/weir.db" },
  { name: "the memory store", setting: "LIMITER_STORE", value: "memory" },
  { name: "no shared secret", setting: "AUTH_SECRET", value: "" },
  { name: "no shared key of forms", setting: "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY", value: "" },
])("two nodes with $name do not start, for a reason of one line", ({ setting, value }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/migrate.ts"], {
    env: { NODE_ENV: "production", ...shared, [setting]: value },
    encoding: "utf8",
  });
  expect(stdout).toBe("");
  expect(stderr).toMatch(new RegExp(`^Bad setting\\. ${setting}: with NODES=2 must be [^\\n]+\\n$`));
  expect(status).toBe(1);
});

function start(command: string, args: readonly string[]) {
  const child: ChildProcess = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: childEnvironment(),
  });
  const exit = once(child, "exit").then(([code]) => code);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
  return {
    pid: child.pid ?? 0,
    exit,
    /** Resolves to all that it has printed when that is in it. */
    async printed(expected: string): Promise<string> {
      await expect.poll(() => child.exitCode !== null || text.includes(expected)).toBe(true);
      expect(text).toContain(expected);
      return text;
    },
  };
}

/** A process; its start time distinguishes it from a later one with the same id. */
interface Process {
  pid: number;
  parent: number;
  began: string;
}

function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // Behind the name, which may have spaces: the state, the parent, and from there on the 18th is when it began.
        const fields = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
        return fields[0] === "Z"
          ? []
          : [{ pid: Number(name), parent: Number(fields[1]), began: fields[19] ?? "" }];
      } catch {
        return [];
      }
    });
}

function descendantsOf(pid: number): Process[] {
  const all = processes();
  const found = all.filter((each) => each.pid === pid);
  for (const each of found) found.push(...all.filter(({ parent }) => parent === each.pid));
  return found;
}

function isThere({ pid, began }: Process): boolean {
  return processes().some((each) => each.pid === pid && each.began === began);
}
