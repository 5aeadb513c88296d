/** The API's description is true: every call is made, and answers as described. */
import { globSync } from "node:fs";
import type { APIRequestContext } from "playwright/test";
import { callsOf, checksOf, type Document, documentSchema, methods } from "../testing/openapi-document.ts";
import { solvedAt } from "../testing/registration.ts";
import { newName, password, signUp, signUpAs } from "./people.ts";
import { expect, test } from "./test.ts";
import { makeToken } from "./tokens.ts";

test("the description is an OpenAPI 3.1 document: every part, reference and schema is one", async ({
  request,
}) => {
  const document = await describedBy(request);
  const { components } = document;
  checksOf(document).compileAll();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  for (const [, kind = "", name = ""] of references)
    expect(Object.keys(Object.entries(components).find(([key]) => key === kind)?.[1] ?? {})).toContain(name);
  const calls = callsOf(document);
  expect(new Set(calls.map(({ operationId }) => operationId)).size).toBe(calls.length);
  const schemes = Object.keys(components.securitySchemes);
  for (const { path, security } of calls) {
    for (const way of security) expect(schemes).toEqual(expect.arrayContaining(Object.keys(way)));
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = JSON.stringify(document.paths[path]);
    for (const name of placeholders) {
      expect(parameters).toContain(`#/components/parameters/${name}`);
      expect(components.parameters[name ?? ""]).toMatchObject({ in: "path", required: true });
    }
  }
});

test("every route of the API is described, with every method that it has, and nothing else is", async ({
  request,
}) => {
  const described = callsOf(await describedBy(request)).map(({ path, method }) => `${method} ${path}`);
  const paths = globSync("app/api/**/route.ts")
    .map((file) => file.replace(/^app|\/route\.ts$/g, "").replaceAll(/\[(\w+)\]/g, "{$1}"))
    .filter((path) => !path.includes("[[...")); // answers for all that is not there
  const served: string[] = [];
  for (const path of paths) {
    const answer = await request.fetch(path.replaceAll(/\{\w+\}/g, "x"), { method: "OPTIONS" });
    const allowed = (answer.headers().allow ?? "").toLowerCase().split(", ");
    served.push(...methods.filter((method) => allowed.includes(method)).map((method) => `${method} ${path}`));
  }
  expect(served.length).toBeGreaterThan(10);
  expect(described.toSorted()).toEqual(served.toSorted());
});

test("every call answers as described, with success and with each error that can be had", async ({
  startServer,
  openBrowser,
  playwright,
}) => {
  const denied = newName("denied");
  const tokenCapacity = 80;
  const server = await startServer({
    ACCESS_RULES: `deny user ${denied}`,
    LIMITS: JSON.stringify({ "api.token": { capacity: tokenCapacity, refillPerSecond: 0.001 } }),
  });
  const author = await signUp(await openBrowser(server), "author");
  const token = await makeToken(author.page, "all", ["read", "rate", "write"]);
  const reading = await makeToken(author.page, "reading", ["read"]);
  const writing = await makeToken(author.page, "writing", ["write"]);
  const spent = await makeToken(author.page, "spent", ["read", "rate", "write"]);
  const other = await signUp(await openBrowser(server), "other");
  const otherToken = await makeToken(other.page, "all", ["write"]);
  const deniedToken = await makeToken((await signUpAs(await openBrowser(server), denied)).page, "denied");

  const api = await playwright.request.newContext({ baseURL: server.origin });
  const document = await describedBy(api);
  const calls = callsOf(document);
  const checks = checksOf(document);
  const seen = new Set<string>();

  interface Sending {
    slug?: string;
    username?: string;
    as?: string;
    body?: unknown;
    query?: string;
    type?: string;
    from?: APIRequestContext;
  }
  /**
   * Makes a call.
   * Fails unless the answer has the status and is as described. A body that is a Buffer goes as it is.
   */
  async function expectAnswer(id: string, status: number, sending: Sending = {}) {
    const call = calls.find(({ operationId }) => operationId === id);
    if (!call) throw new Error(`There is no operation ${id}.`);
    const {
      slug = "",
      username = other.username,
      as,
      body,
      query = "",
      type = "application/json",
      from = api,
    } = sending;
    if (status < 300 && body !== undefined) checks.expectInput(call, body);
    const path = call.path
      .replace("{slug}", encodeURIComponent(slug))
      .replace("{username}", encodeURIComponent(username));
    const answer = await from.fetch(path + query, {
      method: call.method,
      headers: {
        ...(as !== undefined && { Authorization: `Bearer ${as}` }),
        ...(body !== undefined && { "Content-Type": type }),
      },
      ...(body !== undefined && {
        data: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
      }),
    });
    expect(answer.status(), `${id}: ${await answer.text()}`).toBe(status);
    checks.expectAnswer(call, { status, headers: answer.headers(), text: await answer.text() });
    seen.add(`${id} ${status}`);
    return answer;
  }

  const title = newName("A post");
  const created = await expectAnswer("createPost", 201, { as: token, body: { title, content: "Words." } });
  const { slug } = await created.json();
  expect(created.headers().location).toBe(`/api/posts/${slug}`);
  const mine = { slug, as: token };

  await test.step("the input that every call takes and refuses", async () => {
    for (let count = 0; count < tokenCapacity; count += 1)
      await expectAnswer("readScore", 200, { slug, as: spent });
    for (const { operationId: id, security, requestBody } of calls) {
      await expectAnswer(id, 401, { slug, as: `weir_${"A".repeat(43)}` });
      await expectAnswer(id, 403, { slug, as: deniedToken });
      await expectAnswer(id, 429, { slug, as: spent });
      const scopes = security.find((way) => "token" in way)?.token;
      const needsNobody = security.some((way) => Object.keys(way).length === 0);
      if (!needsNobody) await expectAnswer(id, 401, { slug });
      if (!scopes) await expectAnswer(id, 403, { as: token });
      else if (scopes.length > 0)
        await expectAnswer(id, 403, { slug, as: scopes.includes("read") ? writing : reading });
      if (!requestBody) continue;
      const inSession = needsNobody ? {} : { from: author.page.request };
      const sender = scopes ? mine : inSession;
      await expectAnswer(id, 400, { ...sender, body: Buffer.from('{"half') });
      await expectAnswer(id, 413, { ...sender, body: "a".repeat(2_000_000) });
      await expectAnswer(id, 415, { ...sender, body: {}, type: "text/plain" });
      await expectAnswer(id, 422, { ...sender, body: { score: 6 } });
    }
  });

  await test.step("posts", async () => {
    const list = await (
      await expectAnswer("listPosts", 200, { as: token, query: "?limit=1&sort=top" })
    ).json();
    expect(list.items).toHaveLength(1);
    await expectAnswer("listPosts", 200);
    await expectAnswer("listPosts", 422, { query: "?limit=0" });
    await expectAnswer("readPost", 200, mine);
    await expectAnswer("readPost", 200, { slug });
    await expectAnswer("changePost", 200, { ...mine, body: { title: "Another title" } });
    await expectAnswer("changePost", 403, { slug, as: otherToken, body: { title: "Mine now" } });
    await expectAnswer("deletePost", 403, { slug, as: otherToken });
  });

  await test.step("ratings", async () => {
    for (const id of ["readRating", "withdrawRating"]) await expectAnswer(id, 404, mine);
    await expectAnswer("updateRating", 404, { ...mine, body: { score: 1 } });
    expect(await (await expectAnswer("readScore", 200, { slug })).json()).toMatchObject({ average: null });
    await expectAnswer("createRating", 201, { ...mine, body: { score: 4 } });
    await expectAnswer("createRating", 409, { ...mine, body: { score: 3 } });
    await expectAnswer("updateRating", 200, { ...mine, body: { score: 2 } });
    await expectAnswer("readRating", 200, mine);
    await expectAnswer("readScore", 200, mine);
    await expectAnswer("readPost", 200, mine);
    await expectAnswer("withdrawRating", 204, mine);
    await expectAnswer("deletePost", 200, mine);
  });

  await test.step("resources that do not exist", async () => {
    const nowhere = { slug: "there-is-no-such-post", as: token };
    for (const id of ["readPost", "deletePost", "readScore", "readRating", "withdrawRating"])
      await expectAnswer(id, 404, nowhere);
    await expectAnswer("changePost", 404, { ...nowhere, body: { title: "Gone" } });
    for (const id of ["createRating", "updateRating"])
      await expectAnswer(id, 404, { ...nowhere, body: { score: 1 } });
  });

  await test.step("accounts", async () => {
    const from = await playwright.request.newContext({ baseURL: server.origin });
    const username = newName("new");
    await expectAnswer("issueChallenge", 200);
    const account = { username, email: `${username}@example.org`, password };
    await expectAnswer("register", 422, { body: account });
    await expectAnswer("register", 201, { body: { ...account, ...(await solvedAt(server.origin)) }, from });
    await expectAnswer("register", 409, { body: { ...account, ...(await solvedAt(server.origin)) } });
    await expectAnswer("logIn", 401, { body: { username, password: "not the password" } });
    await expectAnswer("logIn", 200, { body: { username, password }, from });
    await expectAnswer("logOut", 204, { from });
    await from.dispose();
  });

  await test.step("administration", async () => {
    const body = { disabled: true, why: "A raid." };
    await expectAnswer("setUserDisabled", 404, { username: "nobody", body, from: author.page.request });
    await expectAnswer("setUserDisabled", 403, { body, from: other.page.request });
    const many = { ...body, usernames: [other.username], dryRun: true };
    await expectAnswer("changeAccounts", 403, { body: many, from: other.page.request });
    await expectAnswer("listAccountChanges", 403, { from: other.page.request });
    await expectAnswer("setUserDisabled", 200, { body, from: author.page.request });
    await expectAnswer("changeAccounts", 200, { body: many, from: author.page.request });
    await expectAnswer("listAccountChanges", 422, { query: "?cursor=x", from: author.page.request });
    await expectAnswer("listAccountChanges", 200, { from: author.page.request });
  });

  await expectAnswer("describe", 200);

  // No request causes the server's own errors: e2e/outage.spec.ts tests some.
  const faults = ["500", "503"];
  const described = calls.flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .filter((status) => !faults.includes(status))
      .map((status) => `${operationId} ${status}`),
  );
  expect([...seen].toSorted()).toEqual(described.toSorted());
  await api.dispose();
});

async function describedBy(api: APIRequestContext): Promise<Document> {
  const answer = await api.get("/api/openapi.json");
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/json"]);
  return documentSchema.parse(await answer.json());
}
