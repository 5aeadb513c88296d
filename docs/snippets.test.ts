/**
 * Runs every code block of the documents as it is printed.
 * A block that cannot run has its reason here. Those that need Redis or Python run in the two files beside this one.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Server } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { problemOf } from "../lib/api/outcomes.ts";
import { issueChallenge, solutionFault } from "../lib/challenge/index.ts";
import { problemJson } from "../lib/http/problem.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { postSchema } from "../lib/posts/schema.ts";
import { slugFrom } from "../lib/posts/slug.ts";
import { ratingSchema } from "../lib/ratings/schema.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { registrationSchema } from "../lib/users/schema.ts";
import { validate } from "../lib/validation.ts";
import { configurationReader } from "../service/configuration/index.ts";
import { temporaryFolder } from "../testing/database.ts";
import { type LimiterService, startLimiterService } from "../testing/limiter-service.ts";
import { run, runModule, runShell, type Snippet, snippet, snippets } from "../testing/snippets.ts";

const token = "correct-horse-battery-staple-1234";
const loginPolicy = { algorithm: "fixed-window", limit: 5, windowMs: 60_000 };
let service: LimiterService;
let withToken: LimiterService;

beforeAll(async () => {
  const configuration = { policies: { login: loginPolicy }, default: "login", store: "memory" };
  [service, withToken] = await Promise.all([
    startLimiterService({ configuration: snippet("docs/service.md", '"sign-in": { "algorithm"') }),
    startLimiterService({ configuration, env: { LIMITER_TOKEN: token } }),
  ]);
});
afterAll(() => Promise.all([service?.stop(), withToken?.stop()]));

/**
 * The use of each block, by a text that it contains.
 * A function runs it; a file's name is the test that does; any other text is the reason why no test can.
 */
const uses: Record<string, ((code: string) => unknown) | string> = {
  "npm start        # installs": "It starts the blog and all tests, this one too.",
  "npm run dev      #": "It starts the blog, all tests and all benchmarks.",
  "npm run cluster      #": "It starts databases, nodes and containers.",
  "--file deploy/compose.tls.yaml": "It needs a container engine and a certificate.",
  pg_restore: "It needs a container engine and a volume from before.",
  "npm ci                ": startsTheLimiter,
  "npm install ./weir-limiter": "lib/limiter/package.test.ts",
  "new Redis(": "docs/snippets.redis.test.ts",
  "may I?": "docs/snippets.python.test.ts",
  "water.example/posts": "docs/snippets.webhooks.test.ts",
  "isAuthentic(": "docs/snippets.webhooks.test.ts",
  "def send_request(": "docs/snippets.python.test.ts",
  "def secret_key(": "docs/snippets.python.test.ts",
  "LIMITS='": changesLimits,
  "scrape_configs:": configuresPrometheus,
  "blog.example.org": publishesAndRates,
  '"about:blank"': isProblem,
  "import { pbkdf2Sync }": registers,
  '"default": "': isConfiguration,
  'limiterClient({ zeromq, address: "tcp://127.0.0.1:7777" })': signsIn,
  "curl --json": sendsWithCurl,
  "token: process.env.LIMITER_TOKEN": logsIn,
  'from "./index.ts"': printsItsComments,
};

test.each(snippets)("runs $name", async ({ language, code }: Snippet) => {
  const texts = Object.keys(uses).filter((text) => code.includes(text));
  expect(texts, `what to do with this block:\n${code}`).toHaveLength(1);
  const [text = ""] = texts;
  const use = uses[text];
  if (typeof use === "function") await use(code);
  else if (use?.endsWith(".test.ts")) expect(readFileSync(use, "utf8")).toContain(JSON.stringify(text));
  else expect({ language, commands: unknownCommands(code) }).toEqual({ language: "sh", commands: [] });
});

test("lists no use for a block that no document has any more", () => {
  const gone = Object.keys(uses).filter((text) => !snippets.some(({ code }) => code.includes(text)));
  expect(gone).toEqual([]);
});

/** The npm commands of a block that package.json does not have. */
function unknownCommands(code: string): (string | undefined)[] {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const names = [...code.matchAll(/\bnpm (?:run ([\w:]+)|(start|test))/g)].map(
    ([, script, own]) => script ?? own,
  );
  return names.filter((name) => name === undefined || scripts[name] === undefined);
}

/** All but its first line, which installs the packages; on free ports. */
async function startsTheLimiter(code: string): Promise<void> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "my-limits.json"), snippet("docs/service.md", '"sign-in": { "algorithm"'));
  const [plain = "", check = "", serve = "", ...others] = code
    .split("\n")
    .filter((line) => line.startsWith("npm run limiter"))
    .map((line) =>
      line.replace(/ *#.*$/, "").replace("npm run", `npm --silent --prefix "${process.cwd()}" run`),
    );
  expect(others).toEqual([]);
  expect((await run("sh", ["-c", check], { cwd: folder })).output).toBe("my-limits.json has no fault.\n");
  for (const command of [
    `${plain} -- --zmq tcp://127.0.0.1:0 --http 127.0.0.1:0`,
    serve.replace(/:777\d/g, ":0"),
  ]) {
    // A group of its own: npm starts further processes.
    const child = spawn("sh", ["-c", command], {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let isEnding = false;
    const end = () => {
      if (!isEnding && child.pid) process.kill(-child.pid);
      isEnding = true;
    };
    onTestFinished(end);
    let output = "";
    for await (const chunk of child.stdout) {
      output += chunk;
      if (/^The limiter answers on .*\n/m.test(output)) end();
    }
    expect(output).toMatch(/^The limiter answers on tcp:\S+ and http:\S+$/m);
  }
}

async function changesLimits(code: string): Promise<void> {
  const { output } = await runShell(`${code}printf %s "$LIMITS"`);
  const limits = limitsFrom(parseSettings({ LIMITS: output }));
  expect(limits["register.address"]).toEqual([]);
  expect(limits["rating.post"].map(({ name, mode }) => `${name} ${mode}`)).toContain(
    "rating.post.ema shadow",
  );
}

function configuresPrometheus(code: string): void {
  const job = z.strictObject({
    job_name: z.string(),
    authorization: z.strictObject({ credentials: z.string() }),
    static_configs: z.array(z.strictObject({ targets: z.array(z.string()) })),
  });
  z.strictObject({ scrape_configs: z.array(job) }).parse(parse(code));
}

async function publishesAndRates(code: string): Promise<void> {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=blog.example.org", "-keyout", key, "-out", cert];
  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    ...subject,
  ]);
  const requests: unknown[] = [];
  const server = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    async (request, response) => {
      const { method, url, headers } = request;
      requests.push([method, url, headers.authorization, await json(request)]);
      response.end("{}");
    },
  );
  const ports = { "blog.example.org:443": await portOf(server) };
  expect(await runShell(code, { ports, env: { TOKEN: "abc" } })).toMatchObject({
    code: 0,
    output: "{}{}{}",
  });
  const rating = `/api/posts/${slugFrom("Still water")}/rating`;
  expect(requests).toEqual([
    [
      "POST",
      "/api/posts",
      "Bearer abc",
      postSchema.parse({ title: "Still water", content: "A *first* post." }),
    ],
    ["POST", rating, "Bearer abc", ratingSchema.parse({ score: 4 })],
    ["PUT", rating, "Bearer abc", ratingSchema.parse({ score: 5 })],
  ]);
}

/** The answer to a post without a title. */
function isProblem(code: string): void {
  const checked = validate(postSchema, { content: "A *first* post." });
  const errors = checked.ok ? expect.fail("the post is valid") : checked.errors;
  expect(JSON.parse(code)).toEqual(JSON.parse(problemJson(problemOf({ kind: "invalid", errors }))));
}

async function registers(code: string): Promise<void> {
  const settings = { secret: token, cost: 1, waitMs: 0 };
  const challenge = await issueChallenge(settings, "register", 0);
  const handle: RequestListener = async (request, response) => {
    if (request.url === "/api/challenge") return void response.end(JSON.stringify({ challenge }));
    const given = registrationSchema.parse(await json(request));
    const fault = await solutionFault(settings, { ...given, mayWait: false }, 1);
    response.writeHead(201).end(JSON.stringify({ username: given.username, fault }));
  };
  const site = `http://127.0.0.1:${await portOf(createServer(handle))}`;
  const output = await runModule(code, { args: [site, "ada", "ada@example.org", "a long enough password"] });
  expect(output).toBe('201 {"username":"ada"}\n');
}

async function isConfiguration(code: string): Promise<void> {
  const file = join(temporaryFolder(), "limiter.json");
  writeFileSync(file, code);
  expect(await configurationReader(file)()).toMatchObject({ configuration: expect.anything() });
}

async function signsIn(code: string): Promise<void> {
  const after =
    "if (!decision.allowed || decision.policy !== 'sign-in') throw new Error(JSON.stringify(decision));";
  await runModule(code, { after, addresses: { zmq: service.zmq } });
}

async function sendsWithCurl(code: string): Promise<void> {
  const ports = {
    "127.0.0.1:7778": new URL(service.http).port,
    "limiter.example:7778": new URL(withToken.http).port,
  };
  const { code: exit, output } = await runShell(code, { ports, env: { LIMITER_TOKEN: token } });
  expect(exit).toBe(0);
  expect(output.match(/"allowed":true/g)).toHaveLength(2);
  expect(output).toContain("# TYPE limiter_decisions_total counter");
}

async function logsIn(code: string): Promise<void> {
  const after = "console.log(allowed, retryAfterMs, rule, message);";
  const addresses = { zmq: withToken.zmq };
  expect(await runModule(code, { after, addresses, env: { LIMITER_TOKEN: token } })).toBe(
    "true 0 null undefined\n",
  );
}

/** Each comment at the end of a line is the output of that line. */
async function printsItsComments(code: string): Promise<void> {
  const promised = [...code.matchAll(/\/\/ (.*)$/gm)].map(([, text]) => text);
  expect(promised.length).toBeGreaterThan(0);
  expect((await runModule(code)).trim().split("\n")).toEqual(promised);
}

async function portOf(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port");
  return `${address.port}`;
}
