/**
 * Fuzzes all routes: no request is answered with a server error.
 * Routes × methods × content types, and 10,000 bodies.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { nextHeaderNames } from "../testing/next-header-names.ts";
import { solvedAt } from "../testing/registration.ts";
import { newServer, type Server } from "./server.ts";

const requests = 10_000;
const seed = 20_261_122;
const inFlight = 16;

const routes = [
  ...["/", "/login", "/register", "/posts/new", "/account", "/admin", "/how-scores-work", "/users/fuzzer"],
  ...["/posts/a-post", "/posts/a-post/edit", "/posts/a-post/activity", "/posts/nothing", "/lab/environment"],
  ...["/api", "/api/challenge", "/api/openapi.json", "/api/posts", "/api/posts/a-post", "/api/session"],
  ...["/api/posts/a-post/score", "/api/posts/a-post/rating", "/api/users", "/api/users/fuzzer/disabled"],
  ...["/feed.xml", "/sitemap.xml", "/robots.txt", "/healthz", "/readyz", "/metrics", "/icon.svg"],
  ...["/_next/image?url=/icon.svg&w=64&q=75", "/_global-error", "/_next/static/nothing.js"],
];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const types = [
  ...["application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"],
  ...["text/plain;charset=UTF-8", "application/json; charset=latin1", ""],
];

/** The ids of all actions, from the build. */
function actionIds(): string[] {
  const manifest = readFileSync(".next/server/server-reference-manifest.json", "utf8");
  const found: { node: Record<string, unknown> } = JSON.parse(manifest);
  return Object.keys(found.node);
}

/** References in React's format for the arguments of an action, and similar texts. */
const reference = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        "$",
        "$F",
        "$h",
        "$K",
        "$Q",
        "$W",
        "$@",
        "$B",
        "$n",
        "$D",
        "$i",
        "$o",
        "$A",
        "$r",
        "$-",
      ),
      fc.nat(9),
    )
    .map(([kind, id]) => `${kind}${id}`),
  fc.constantFrom(
    "$undefined",
    "$NaN",
    "$Infinity",
    "$1:a:b",
    "$0:__proto__:x",
    "$Z",
    "$$",
    "$n99999999999999999999",
  ),
  fc.string({ maxLength: 20 }),
);
const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.array(reference, { maxLength: 4 }).map((list) => JSON.stringify(list)),
  fc
    .record({ title: fc.string(), content: fc.string(), score: fc.integer() })
    .map((input) => JSON.stringify(input)),
);

function multipart(fields: readonly (readonly [string, string])[]): string {
  const parts = fields.map(
    ([name, value]) =>
      `--x\r\nContent-Disposition: form-data; name="${name.replace(/["\r\n]/g, "")}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--x--\r\n`;
}

/** Bodies: a form as React sends it, JSON, and text that is neither. */
const body = (ids: readonly string[]) => {
  const id = fc.constantFrom(...ids, "0".repeat(42), "x");
  const bound = fc.oneof(fc.constant("$@1"), reference, fc.constant(null));
  const name = fc.oneof(
    fc.constantFrom(
      "0",
      "1",
      "1_title",
      "1_score",
      "_1_title",
      "$ACTION_1:1",
      "$ACTION_KEY",
      "username",
      "password",
      "next",
    ),
    reference,
  );
  const special = fc.oneof(
    id.map((id) => [`$ACTION_ID_${id}`, ""] as const),
    fc.tuple(id, bound).map(([id, bound]) => ["$ACTION_1:0", JSON.stringify({ id, bound })] as const),
    fc.constant(["$ACTION_REF_1", ""] as const),
    json.map((value) => ["0", value] as const),
  );
  const form = fc
    .array(fc.oneof(special, fc.tuple(name, fc.oneof(json, reference))), { maxLength: 6 })
    .map(multipart);
  return fc.oneof(form, json, fc.string({ maxLength: 200 }));
};

let server: Server;
// One server for all.
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  server = await newServer({ METRICS_TOKEN: "a-token-of-the-fuzzer", HOST: "127.0.0.1" });
});
test.afterAll(() => server.remove());

/** A session, so that requests get past the log-in. */
async function signUp(): Promise<string> {
  const made = await fetch(`${server.origin}/api/users`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      username: "fuzzer",
      email: "fuzzer@example.org",
      password: "a long enough password",
      ...(await solvedAt(server.origin)),
    }),
  });
  expect(made.status).toBe(201);
  return made.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

test("no request is answered with a server error", async () => {
  const cookie = await signUp();
  const ids = actionIds();
  const post = await fetch(`${server.origin}/api/posts`, {
    method: "POST",
    headers: { "Content-Type": "application/json", cookie },
    body: JSON.stringify({ title: "A post", content: "Some text." }),
  });
  expect(post.status).toBe(201);

  const combinations = routes.flatMap((path) =>
    methods.flatMap((method) => (method === "GET" ? [""] : types).map((type) => ({ path, method, type }))),
  );
  // Each combination comes up once. Then those that read a body: an action's, which Next.js decodes, and the API's.
  const often = combinations.filter(
    ({ path, method, type }) =>
      /multi|json$|plain/.test(type) &&
      (path.startsWith("/api/")
        ? /POST|PUT|PATCH/.test(method)
        : method === "POST" && /^\/(login|posts|account)/.test(path)),
  );
  const sent = fc.sample(
    fc.record({
      bytes: body(ids),
      target: fc.constantFrom(...often),
      // Without it Next.js renders the page again, which takes far longer than all else here.
      action: fc.option(fc.constantFrom(...ids, "x"), { freq: 30 }),
      isSignedIn: fc.boolean(),
    }),
    { numRuns: requests, seed },
  );
  const failures: string[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next; index < sent.length; index = next) {
      next += 1;
      const { bytes, target, action, isSignedIn } = sent[index] ?? { bytes: "" };
      const { path, method, type } = combinations[index] ?? target ?? { path: "/", method: "POST", type: "" };
      const headers = new Headers();
      if (type) headers.set("Content-Type", type);
      if (isSignedIn) headers.set("Cookie", cookie);
      if (action && method === "POST") headers.set("Next-Action", action);
      const hasBody = method !== "GET";
      const answer = await fetch(server.origin + path, {
        method,
        headers,
        redirect: "manual",
        ...(hasBody && { body: bytes }),
      });
      await answer.arrayBuffer();
      if (answer.status >= 500)
        failures.push(`${answer.status} ${method} ${path} ${type} ${action ?? ""} ${JSON.stringify(bytes)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  expect(failures).toEqual([]);
});

test("no header that Next.js reads replaces a page's HTML, except rsc", async () => {
  // Sent by fetch itself, replaced by the server, or documented to change the answer.
  const excluded = /^(content-length|host|cookie|rsc|x-forwarded-)/;
  for (const name of [...nextHeaderNames()].filter((name) => !excluded.test(name))) {
    const answer = await fetch(`${server.origin}/how-scores-work`, { headers: { [name]: "1" } });
    expect(answer.status, name).toBe(200);
    expect(answer.headers.get("content-type"), name).toContain("text/html");
    expect(await answer.text(), name).toContain("</h1>");
  }
});
