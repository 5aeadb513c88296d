import { afterEach, describe, expect, test, vi } from "vitest";
import { temporaryDatabase } from "../../testing/database.ts";
import { log } from "../logging/log.ts";
import type { User } from "../users/index.ts";
import { pageSchema } from "./queries.ts";
import { asUser, failedFor, json, route, withInput, withQuery, withSlug } from "./route.ts";

let user: User | null = null;
vi.mock("../auth/index.ts", () => ({ getUser: async () => user }));
afterEach(() => {
  user = null;
  vi.restoreAllMocks();
});

const request = (method: string, body?: string) =>
  new Request("http://localhost/api/x?secret=1", {
    method,
    ...(body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } }),
  });
const context = (params = {}) => ({ params: Promise.resolve(params) });

test("answers HEAD and OPTIONS for a route, and 405 for methods that it lacks", async () => {
  const { HEAD, OPTIONS, DELETE } = route({ GET: () => json(1), PUT: () => json(2) });
  expect((await HEAD(request("HEAD"), context())).status).toBe(200);
  const options = await OPTIONS(request("OPTIONS"), context());
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, PUT, OPTIONS"]);
  const refused = await DELETE(request("DELETE"), context());
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, OPTIONS"]);
  expect(await refused.json()).toMatchObject({ status: 405, title: "Method Not Allowed" });
});

test("passes a validated query on, and answers 422 for a bad one", async () => {
  const { GET } = route({ GET: withQuery(pageSchema, ({ query }) => json(query)) });
  const get = (query: string) => GET(new Request(`http://localhost/api/x${query}`), context());
  expect(await (await get("?limit=7&other=1")).json()).toEqual({ limit: 7 });
  const refused = await get("?limit=1000");
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ errors: { limit: [expect.stringContaining("100")] } });
});

test("names the second factor where only that is missing to an administrator", async () => {
  const forbidden = { kind: "forbidden" } as const;
  const detailFor = async (...[reader, failure]: Parameters<typeof failedFor>) =>
    (await failedFor(reader, failure).json()).detail;
  expect(await detailFor({ lacksSecondFactor: true }, forbidden)).toContain("log in again with a code");
  expect(await detailFor({}, forbidden)).toContain("another user");
  expect(await detailFor({ lacksSecondFactor: true }, { kind: "no-such-user" })).toContain("no such user");
});

test("logs an unexpected error, and answers without its details", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const error = new Error("table users has no column secret");
  const { GET } = route({
    GET: () => {
      throw error;
    },
  });
  const response = await GET(request("GET"), context());
  expect(response.status).toBe(500);
  expect(await response.text()).not.toMatch(/secret|column|\bat /);
  expect(logged).toHaveBeenCalledExactlyOnceWith({ err: error, method: "GET", path: "/api/x" });
});

test("answers 503 with Retry-After, and logs it, when the database is unavailable", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const database = temporaryDatabase();
  database.sqlite.pragma("query_only = on");
  const { DELETE } = route({
    DELETE: async () => {
      await database.users.endSessions(1);
      return json(1);
    },
  });
  const response = await DELETE(request("DELETE"), context());
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(logged).toHaveBeenCalledOnce();
});

test("takes as a request's time the arrival of its whole body", async () => {
  const { POST } = route({ POST: withInput(10, ({ now }) => json({ now })) });
  const sentAt = Date.now();
  let endedAt = Number.POSITIVE_INFINITY;
  const body = new ReadableStream({
    async pull(controller) {
      await expect.poll(() => Date.now()).toBeGreaterThan(sentAt);
      controller.enqueue(new TextEncoder().encode("[5]"));
      controller.close();
      endedAt = Date.now();
    },
  });
  const sent = { method: "POST", body, headers: { "Content-Type": "application/json" }, duplex: "half" };
  const request = new Request("http://localhost/api/x", sent);
  const { now }: { now: number } = await (await POST(request, context())).json();
  expect(now).toBeGreaterThanOrEqual(endedAt);
});

describe("user, slug and body", () => {
  const { PUT } = route({
    PUT: withSlug(
      asUser(
        "rate",
        withInput(10, ({ slug, user, input }) => json({ slug, name: user.username, input })),
      ),
    ),
  });

  test("reach the handler", async () => {
    user = { id: 1, username: "ann", isAdministrator: false, isModerator: false };
    // The slug is written with a combining accent, and percent-encoded.
    const response = await PUT(request("PUT", "[5]"), context({ slug: "caf%65%CC%81" }));
    expect(await response.json()).toEqual({ slug: "café", name: "ann", input: [5] });
  });

  test("are refused in the order of path, session, body", async () => {
    const statusOf = async (slug: string, body: string) =>
      (await PUT(request("PUT", body), context({ slug }))).status;
    expect(await statusOf("%E0%A4%A", "{")).toBe(404);
    expect(await statusOf("a", "{")).toBe(401);
    user = { id: 1, username: "ann", isAdministrator: false, isModerator: false };
    expect(await statusOf("a", "{")).toBe(400);
    expect(await statusOf("a", "[1,2,3,4,5]")).toBe(413);
  });
});
