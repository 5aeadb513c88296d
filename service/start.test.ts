/** How the process starts, or reports in one line why it does not. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { type Ended, runCommand } from "../testing/command.ts";
import { temporaryFolder } from "../testing/database.ts";
import type { LimiterServiceOptions } from "../testing/limiter-service.ts";
import { runningService } from "../testing/running-service.ts";
import { requesterOf } from "../testing/zeromq-requester.ts";

const policies = { demo: { algorithm: "fixed-window", limit: 5, windowMs: 60_000 } };
const configuration = { policies, default: "demo", store: "memory" };
const token = "correct-horse-battery-staple-1234";
const free = ["--zmq", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0"];

const started = (options: Partial<LimiterServiceOptions> = {}) =>
  runningService({ configuration, ...options });

/** Runs it where it is expected not to start. */
const run = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommand("limiter", args, { env: { LIMITER_TOKEN: "", ...env } });

function fileWith(text: string): string {
  const file = join(temporaryFolder(), "limiter.json");
  writeFileSync(file, text);
  return file;
}

async function allowedOf(zmq: string, requests: number): Promise<number> {
  const requester = requesterOf(zmq);
  const answers = await Promise.all(
    Array.from({ length: requests }, () => requester.request({ verb: "consume", policy: "demo", key: "k" })),
  );
  requester.close();
  return answers.filter(({ allowed }) => allowed === true).length;
}

test("prints its addresses first, and answers there", async () => {
  const service = await started();
  expect(service.output().split("\n")[0]).toBe(`The limiter answers on ${service.zmq} and ${service.http}`);
  expect(await allowedOf(service.zmq, 8)).toBe(5);
  expect((await fetch(`${service.http}/v1/alive`)).status).toBe(200);
  const configured = await (await fetch(`${service.http}/v1/rules`)).json();
  expect(configured).toMatchObject({ policies, default: "demo" });
});

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === "::1"),
);

test("counts decisions, waiting requests and kept answers in its metrics", async () => {
  const service = await started();
  expect(await allowedOf(service.zmq, 8)).toBe(5);
  const figures = await (await fetch(`${service.http}/metrics`)).text();
  expect(figures).toContain('limiter_decisions_total{policy="demo",rule="",outcome="allowed"} 5');
  expect(figures).toContain('limiter_decisions_total{policy="demo",rule="",outcome="refused"} 3');
  expect(figures).toContain("limiter_answers_remembered 8");
  expect(figures).toContain("limiter_waiting 0");
});

test.skipIf(!hasIpv6)("It listens on IPv6 as well", async () => {
  const service = await started({ zmq: "tcp://[::1]:0", http: "[::1]:0" });
  expect(service.zmq).toMatch(/^tcp:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${service.http}/v1/alive`)).status).toBe(200);
});

test("uses its own file by default, and resolves a path from the current folder", async () => {
  const blocker = await busyPort();
  const address = `127.0.0.1:${blocker}`;
  // It gets as far as its addresses.
  expect((await run(["--zmq", "tcp://127.0.0.1:0", "--http", address])).errors).toMatch(
    /cannot be listened on/,
  );
  const file = fileWith("[]");
  const there = { INIT_CWD: join(file, "..") };
  expect((await run(["--config", "limiter.json"], there)).errors).toBe(
    "limiter.json:1: the configuration: must be an object\n",
  );
});

test("prints the usage with --help, and starts nothing", async () => {
  for (const option of ["--help", "-h"])
    expect(await run([option])).toMatchObject({
      code: 0,
      errors: "",
      output: expect.stringMatching(/^npm run limiter -- .*--config.*--zmq.*--http.*LIMITER_TOKEN/s),
    });
});

test("checks a file with --check, and starts nothing", async () => {
  const good = fileWith(JSON.stringify(configuration));
  const output = `${good} has no fault.\n`;
  expect(await run(["--check", good])).toEqual({ code: 0, output, errors: "" });
  const bad = fileWith(
    '{\n"policies": {"demo": {"algorithm": "fixed-windw"}},\n"default": "dem",\n"store": "memory"\n}',
  );
  const faulty = await run(["--check", bad]);
  expect(faulty).toMatchObject({ code: 1, output: "" });
  expect(faulty.errors.split("\n")).toEqual([
    expect.stringContaining(`${bad}:2: policies.demo.algorithm: must be one of `),
    `${bad}:3: default: must be the name of a policy, one of demo`,
    "",
  ]);
  const missing = join(bad, "..", "none.json");
  expect((await run(["--check", missing])).errors).toBe(
    `${missing}: cannot be read: there is no such file\n`,
  );
});

test.each([
  [["--port", "7"], "Unknown option '--port'. All options: npm run limiter -- --help"],
  [["limiter.json"], "Unexpected argument 'limiter.json'. All options: npm run limiter -- --help"],
  [["--config"], "Option '--config <value>' argument missing. All options: npm run limiter -- --help"],
  [["--config", ""], "FILE is missing."],
  [["--zmq", "127.0.0.1:7777"], "--zmq must be an address such as tcp://127.0.0.1:7777 or tcp://[::1]:7777."],
  [["--http", "127.0.0.1"], "--http must be an address such as 127.0.0.1:7778 or [::1]:7778."],
])("reports wrong usage in one line: %j", async (args, line) => {
  expect(await run(args)).toEqual({ code: 2, output: "", errors: `${line}\n` });
});

test.each([
  ["--zmq", "tcp://*:0"],
  ["--zmq", "tcp://0.0.0.0:0"],
  ["--http", "0.0.0.0:0"],
  ["--http", "[::]:0"],
])("%s %s takes a token", async (option, address) => {
  const refused = await run([...free, option, address]);
  expect(refused).toMatchObject({ code: 1, output: "" });
  expect(refused.errors).toMatch(
    /^--\w+ \S+ can be reached from other machines: set LIMITER_TOKEN [^\n]+\n$/,
  );
});

test.each([
  ["LIMITER_TOKEN", "hidden-but-short"],
  ["LIMITER_TOKEN", `${token} with spaces`],
  ["LOG_LEVEL", "loud"],
])("reports a bad %s in one line, without its value", async (name, value) => {
  const refused = await run(free, { [name]: value });
  expect(refused).toMatchObject({ code: 1, output: "" });
  expect(refused.errors).toMatch(new RegExp(`^${name} must [^\\n]+\\n$`));
  expect(refused.errors).not.toContain(value);
});

test("listens on any address with a token, requires it everywhere, and never logs it", async () => {
  const service = await started({ http: "0.0.0.0:0", env: { LIMITER_TOKEN: token, LOG_LEVEL: "trace" } });
  const url = `${service.http.replace("0.0.0.0", "127.0.0.1")}/v1/peek`;
  const send = (headers: Record<string, string>) =>
    fetch(url, { method: "POST", body: "{}", headers: { "Content-Type": "application/json", ...headers } });
  expect((await send({})).status).toBe(401);
  expect((await send({ Authorization: `Bearer ${token}` })).status).toBe(200);
  await service.stop();
  expect(service.output()).not.toContain(token);
});

test.each(["zmq", "http"])(
  "reports a port of %s that is in use in one line, and leaves nothing open",
  async (way) => {
    const address = `${way === "zmq" ? "tcp://" : ""}127.0.0.1:${await busyPort()}`;
    const refused = await run([...free, `--${way}`, address]);
    expect(refused).toEqual({
      code: 1,
      output: "",
      errors: `${address} cannot be listened on: another program listens there; end that, or name another port.\n`,
    });
  },
);

test("reports an address of another machine in one line", async () => {
  for (const [option, address] of [
    ["--zmq", "tcp://192.0.2.1:0"],
    ["--http", "192.0.2.1:0"],
  ] as const)
    expect(await run([...free, option, address], { LIMITER_TOKEN: token })).toEqual({
      code: 1,
      output: "",
      errors: `${address} cannot be listened on: it is not an address of this machine.\n`,
    });
});

test("stops the start for a bad file, with one line for each fault", async () => {
  const file = fileWith(
    '{"policies": {"demo": {\n"algorithm": "fixed-window", "limit": -1,\n"windowMs": "x"}}}',
  );
  const { code, output, errors } = await run(["--config", file]);
  expect([code, output]).toEqual([1, ""]);
  expect(errors.split("\n")).toEqual([
    `${file}:1: default: is missing: it must be the name of a policy`,
    `${file}:1: store: is missing: it must be memory, sqlite:FILE, or the address of a Redis`,
    `${file}:3: policies.demo.windowMs: must be a number`,
    "",
  ]);
});

test("stops the start for a store that is not a database, with the line that names it", async () => {
  const file = fileWith(JSON.stringify({ ...configuration, store: "sqlite:states.db" }, null, 1));
  writeFileSync(join(file, "..", "states.db"), "no database, only some text ".repeat(100));
  const { code, output, errors } = await run(["--config", file, ...free]);
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toBe(`${file}:10: store: cannot be opened: file is not a database\n`);
});

test("keeps the counts of an SQLite file over a restart", async () => {
  const folder = temporaryFolder();
  const hourly = { demo: { ...policies.demo, windowMs: 3_600_000 } };
  const stored = { ...configuration, policies: hourly, store: "sqlite:states.db" };
  const first = await started({ configuration: stored, folder });
  expect(await allowedOf(first.zmq, 3)).toBe(3);
  expect(await first.stop()).toBe(0);
  const second = await started({ configuration: stored, folder });
  expect(await allowedOf(second.zmq, 8)).toBe(2);
});

test("warns about an unreachable Redis, without its password, and uses it when it returns", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const store = redis.url.replace("//", "//:hidden-word@");
  await redis.kill();
  const closed = { demo: { ...policies.demo, outage: "closed" } };
  const service = await started({ configuration: { ...configuration, policies: closed, store } });
  expect(await service.printed(/Redis cannot be reached/)).toMatch(/"level":40/);
  await redis.restart();
  await service.printed(/connected to Redis/);
  await expect.poll(() => allowedOf(service.zmq, 8)).toBe(5);
  await redis.kill();
  await service.printed(/connection to Redis is lost/);
  await service.stop();
  expect(service.output()).not.toContain("hidden-word");
});

/** A port in use until the end of the test. */
async function busyPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port");
  return address.port;
}
