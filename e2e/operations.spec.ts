/** The operator's view of the app: health, readiness, metrics and logs. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import Sqlite from "better-sqlite3";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { solved } from "../testing/registration.ts";
import { gather, type Member } from "./crowd.ts";
import { newName, password } from "./people.ts";
import { expect, test } from "./test.ts";

const token = "a token of the browser tests";
const METRICS_TOKEN = token.replaceAll(" ", "-");
const withToken = { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } };

test("answers that it is alive and ready, uncached", async ({ request }) => {
  // It is not ready while its database answers late.
  for (const [path, body] of [
    ["/healthz", "ok\n"],
    ["/readyz", '{"status":"ready"}'],
  ] as const)
    await expect(async () => {
      const answer = await request.get(path);
      expect([answer.status(), await answer.text()]).toEqual([200, body]);
      expect(answer.headers()["cache-control"]).toBe("no-store");
      expect(answer.headers()).not.toHaveProperty("set-cookie");
    }).toPass();
});

test("is alive and not ready without its limiter store, with the reason", async ({ startServer }) => {
  const redis = await startRedis();
  const { origin } = await startServer({ LIMITER_STORE: "redis", REDIS_URL: redis.url, LOG_LEVEL: "silent" });
  const sendRequest = async () => {
    const answer = await fetch(`${origin}/readyz`);
    return { status: answer.status, body: await answer.text() };
  };
  await expect.poll(async () => (await sendRequest()).status).toBe(200);
  redis.pause();
  const hung = await sendRequest();
  expect(hung.status).toBe(503);
  expect(JSON.parse(hung.body)).toEqual({
    status: "not ready",
    // The database is another one when its answer is late.
    parts: expect.arrayContaining([
      { name: "limiter store", reason: expect.stringMatching(/cannot be used|has not answered within/) },
    ]),
  });
  await redis.kill();
  const gone = await sendRequest();
  expect(gone.status).toBe(503);
  expect(gone.body).not.toMatch(/127\.0\.0\.1|redis:/);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  await redis.stop();
});

test("a second SIGTERM ends a server at once that still waits for a request", async ({ startServer }) => {
  const server = await startServer({ LOG_LEVEL: "warn" });
  const { port } = new URL(server.origin);
  const socket = connect(Number(port), "localhost").setEncoding("utf8");
  socket.on("error", () => {}); // it is cut off
  const head = ["POST /api/session HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
  socket.write([...head, "Content-Length: 2", "Expect: 100-continue", "", ""].join("\r\n"));
  const [answer] = await once(socket, "data");
  expect(answer).toContain("100 Continue");
  const again = setInterval(() => server.terminate(), 50);
  try {
    expect(await server.ended).toBe(143);
  } finally {
    clearInterval(again);
  }
  expect(server.output).toContain("SIGTERM again: the server ends at once");
});

test("has no metrics without a token in the settings", async ({ request }) => {
  for (const headers of [{}, withToken.headers]) {
    const answer = await request.get("/metrics", { headers });
    expect(answer.status()).toBe(404);
    expect(await answer.text()).not.toContain("weir_");
  }
});

test("serves metrics to requests with the token, with counts of events", async ({ startServer }) => {
  const server = await startServer({
    METRICS_TOKEN,
    RATING_OVERFLOW: "hold",
    RATING_LIMITER: "leaky-bucket",
    LIMITS: JSON.stringify({
      "rating.post": { capacity: 1, leakPerSecond: 0.0001 },
      "rating.user": { capacity: 1, leakPerSecond: 0.0001 },
    }),
  });
  for (const authorization of [
    undefined,
    METRICS_TOKEN,
    `Bearer ${METRICS_TOKEN}x`,
    `Basic ${METRICS_TOKEN}`,
  ]) {
    const answer = await fetch(`${server.origin}/metrics`, {
      ...(authorization && { headers: { authorization } }),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    expect(await answer.text()).not.toContain("weir_");
  }
  const members = await gather(server, 2);
  const slug = await publishAs(members[0]);
  await members[0]?.rate(slug, 4);
  await members[1]?.rate(slug, 0);
  await members[0]?.rate(await publishAs(members[1]), 4);
  await (await fetch(`${server.origin}/`)).text();
  const answer = await fetch(`${server.origin}/metrics`, withToken);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  const lines = (await answer.text()).split("\n");
  for (const line of [
    'weir_rating_attempts_total{decision="accepted",policy="rating.post"} 1',
    'weir_rating_attempts_total{decision="held",policy="rating.post"} 1',
    'weir_rating_attempts_total{decision="refused",policy="rating.user"} 1',
    'weir_http_requests_total{method="GET",kind="page",status="2xx"} 1',
    'weir_http_requests_total{method="POST",kind="api",status="4xx"} 1',
  ])
    expect(lines).toContain(line);
  const held = lines.filter((line) => line.startsWith("weir_open_flood_windows{"));
  expect(held.map((line) => line.split(" ")[1]).toSorted()).toEqual(["0", "1"]);
  expect(lines.some((line) => line.startsWith('weir_limiter_seconds_count{store="database"}'))).toBe(true);
});

test("the log has a line with an id for each request, and no secret or address in it", async ({
  startServer,
}) => {
  const server = await startServer({ LOG_LEVEL: "debug", TRUSTED_PROXY_HOPS: "1", METRICS_TOKEN });
  const address = "203.0.113.77";
  const headers = { "X-Forwarded-For": address, "Content-Type": "application/json" };
  const username = newName("logged");
  const account = { username, email: `${username}@example.org`, password };
  const send = (path: string, extra = {}, body?: object) =>
    fetch(server.origin + path, {
      method: body ? "POST" : "GET",
      headers: { ...headers, ...extra },
      ...(body && { body: JSON.stringify(body) }),
    });
  const proof = await solved(send("/api/challenge"));
  const registered = await send("/api/users", {}, { ...account, ...proof });
  expect(registered.status).toBe(201);
  const cookies = registered.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  const session = cookies.find((cookie) => cookie.includes("session-token"))?.split("=")[1] ?? "";
  expect(session.length).toBeGreaterThan(20);
  const Cookie = cookies.join("; ");
  await send("/?q=searched-for", { Cookie, "X-Request-Id": "id-of-the-proxy" });
  await send("/api/session", { Cookie }, { username, password: "a wrong password" });
  // Refused with a line of its own in the log, which has the id as well.
  const foreign = await send("/api/session", { Cookie, Origin: "https://elsewhere.example" }, account);
  expect(foreign.status).toBe(403);
  await fetch(`${server.origin}/metrics`, withToken);
  await expect.poll(() => server.output).toContain('"path":"/metrics"');

  const lines = server.output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Record<string, unknown> => JSON.parse(line));
  const [page] = lines.filter(({ path }) => path === "/");
  expect(page).toMatchObject({ method: "GET", status: 200, requestId: "id-of-the-proxy", level: 30 });
  expect(page?.durationMs).toBeGreaterThan(0);
  const refused = lines.filter(({ requestId }) => requestId === foreign.headers.get("x-request-id"));
  expect(refused.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/^refused a request with a foreign Origin; .*SITE_URL.*TRUSTED_PROXY_HOPS/),
    "request",
  ]);
  for (const line of lines) expect(line.requestId).toEqual(expect.any(String));
  const clients = new Set(lines.filter(({ path }) => path !== "/metrics").map(({ client }) => client));
  clients.delete(undefined); // the line about the foreign origin
  expect(clients.size).toBe(1);
  for (const secret of [
    session,
    password,
    "a wrong password",
    address,
    username,
    "searched-for",
    METRICS_TOKEN,
  ])
    expect(server.output).not.toContain(secret);
});

test("an unexpected error is logged once, in the log's format, with its request's id", async ({
  startServer,
}) => {
  const server = await startServer();
  // Its tables are there now. Not the front page, of which there would be a copy.
  expect((await fetch(`${server.origin}/login`)).status).toBe(200);
  const sqlite = new Sqlite(server.databaseUrl.replace("file:", ""), { timeout: 600_000 });
  sqlite.pragma("foreign_keys = OFF");
  sqlite.exec("alter table posts rename to posts_gone");
  sqlite.close();
  for (const path of ["/", "/feed.xml", "/api/posts"]) {
    const answer = await fetch(server.origin + path);
    expect(answer.status).toBe(500);
    const id = answer.headers.get("x-request-id") ?? "";
    const lines = () => server.output.split("\n").filter((line) => line.includes(id));
    await expect.poll(() => lines().some((line) => line.includes(`"path":"${path}"`))).toBe(true);
    expect(lines().filter((line) => line.includes('"type":"SqliteError"'))).toHaveLength(1);
    for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ level: 50, requestId: id });
  }
  // Nothing of it was written in any other way.
  const others = server.output.split("\n").filter((line) => !line.startsWith("{"));
  expect(others.join("\n")).not.toContain("no such table");
});

test("traces go to a collector when there is one, the last ones before the server ends", async ({
  startServer,
}) => {
  const received: { path: string | undefined; body: string }[] = [];
  const collector = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ path: request.url, body });
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const bound = collector.address();
  const port = typeof bound === "object" && bound ? bound.port : 0;
  const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const [member] = await gather(server, 1);
  await fetch(`${server.origin}/?q=searched-for`);
  const slug = await publishAs(member);
  await member?.rate(slug, 4);
  // Spans are sent every five seconds; these are there when the server has ended.
  await server.remove();
  collector.close();
  const spans = received.flatMap(({ path, body }) => {
    expect(path).toBe("/v1/traces");
    const sent: Sent = JSON.parse(body);
    return sent.resourceSpans.flatMap(({ resource, scopeSpans }) => {
      expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "weir" } });
      return scopeSpans.flatMap((scope) => scope.spans);
    });
  });
  expect(spans.map(({ name }) => name)).toContain("GET /");
  const guard = spans.find(({ name, attributes }) => name === "guard" && attributes.length > 0);
  expect(guard?.attributes).toContainEqual({ key: "weir.decision", value: { stringValue: "accepted" } });
  const root = spans.find(({ name }) => name === "POST /api/posts/[slug]/rating");
  expect(guard?.traceId).toBe(root?.traceId);
  for (const { body } of received) expect(body).not.toContain("searched-for");
});

/** Publishes a post; gives its slug. */
async function publishAs(member: Member | undefined): Promise<string> {
  const answer = await member?.send("POST", "/api/posts", { title: newName("Post"), content: "Words." });
  if (answer?.status !== 201) throw new Error("No post was made.");
  const { slug }: { slug: string } = await answer.json();
  return slug;
}

interface Sent {
  resourceSpans: {
    resource: { attributes: unknown[] };
    scopeSpans: { spans: { name: string; traceId: string; attributes: unknown[] }[] }[];
  }[];
}
