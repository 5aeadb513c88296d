/** The API's description is true: every call is made, and answers as described. */
import { globSync } from "node:fs";
import type { APIRequestContext } from "playwright/test";
import sharp from "sharp";
import { webhookEvents } from "../db/types.ts";
import { newArchiveFolder, newReport, removeArchive, writeReport } from "../lib/import-uploads/uploads.ts";
import { mailLimits } from "../lib/mail/kinds.ts";
import { mediaFolderPath } from "../lib/settings/data-folder.ts";
import { freePort } from "../scripts/cluster/free-port.ts";
import { addUser } from "../testing/content.ts";
import { callsOf, checksOf, type Document, documentSchema, methods } from "../testing/openapi-document.ts";
import { manyAccounts, solvedAt } from "../testing/registration.ts";
import { startSmtpServer } from "../testing/smtp-server.ts";
import { inDatabase, newName, password, signUp, signUpAs } from "./people.ts";
import { expect, test } from "./test.ts";
import { makeToken } from "./tokens.ts";

test("the description is an OpenAPI 3.1 document: every part, reference and schema is one", async ({
  request,
}) => {
  const document = await describedBy(request);
  const { components } = document;
  checksOf(document).compileAll();
  expect(Object.keys(document.webhooks)).toEqual([...webhookEvents]);
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
  // Its server sends no emails.
  request: withoutMail,
}) => {
  const denied = newName("denied");
  const tokenCapacity = 400;
  const mail = await startSmtpServer();
  const PORT = String(await freePort());
  const server = await startServer({
    ...{ PORT, SITE_URL: `http://localhost:${PORT}`, MAIL_URL: mail.url, MAIL_FROM: "blog@weir.example" },
    ACCESS_RULES: `deny user ${denied}`,
    LIMITS: JSON.stringify({
      ...manyAccounts,
      "api.token": { capacity: tokenCapacity, refillPerSecond: 0.001 },
      // Of tokens that are not valid: one for each call.
      "login.address": { capacity: 200 },
      "export.user": { capacity: 10 },
      // The step with requests of links, too.
      "reset.address": { capacity: 50 },
    }),
  });
  const author = await signUp(await openBrowser(server), "author");
  const token = await makeToken(author.page, "all", ["read", "rate", "write", "admin"]);
  const reading = await makeToken(author.page, "reading", ["read"]);
  const writing = await makeToken(author.page, "writing", ["write"]);
  const spent = await makeToken(author.page, "spent", ["read", "rate", "write", "admin"]);
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
    id?: number;
    name?: string;
    archive?: string;
    year?: number;
    as?: string;
    body?: unknown;
    query?: string;
    type?: string;
    ifMatch?: string;
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
      id: number = 1,
      name = "SITE_LOGO",
      archive = "0".repeat(32),
      year = 2026,
      as,
      body,
      query = "",
      type = "application/json",
      ifMatch,
      from = api,
    } = sending;
    if (status < 300 && body !== undefined && !Buffer.isBuffer(body)) checks.expectInput(call, body);
    const path = call.path
      .replace("{slug}", encodeURIComponent(slug))
      .replace("{username}", encodeURIComponent(username))
      .replace("{id}", String(number))
      .replace("{name}", name)
      .replace("{archive}", archive)
      .replace("{year}", String(year));
    const answer = await from.fetch(path + query, {
      method: call.method,
      maxRedirects: 0,
      headers: {
        ...(as !== undefined && { Authorization: `Bearer ${as}` }),
        ...(body !== undefined && { "Content-Type": type }),
        ...(ifMatch !== undefined && { "If-Match": ifMatch }),
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

  /** The token of the link in an email to an address, once it has come. */
  async function tokenTo(address: string, path: string): Promise<string> {
    const found = () =>
      mail.mails
        .filter(({ recipients }) => recipients[0] === address)
        .flatMap(({ text }) => new RegExp(`${path}\\?token=(\\S+)`).exec(text ?? "")?.[1] ?? [])
        .at(-1);
    await expect.poll(found).toBeDefined();
    return found() ?? "";
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
      if ("multipart/form-data" in requestBody.content) {
        const type = "multipart/form-data; boundary=x";
        await expectAnswer(id, 400, { ...sender, body: Buffer.from("--x\r\nhalf"), type });
        await expectAnswer(id, 413, { ...sender, body: Buffer.alloc(11_000_000), type });
        await expectAnswer(id, 415, { ...sender, body: {} });
        await expectAnswer(id, 422, { ...sender, body: Buffer.from("--x--\r\n"), type });
        continue;
      }
      if ("application/octet-stream" in requestBody.content) {
        await expectAnswer(id, 400, { ...sender, body: Buffer.alloc(0), type: "application/octet-stream" });
        await expectAnswer(id, 415, { ...sender, body: {} });
        continue;
      }
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
    await expectAnswer("readPost", 200, { slug });
    const ifMatch = (await expectAnswer("readPost", 200, mine)).headers().etag ?? "";
    const change = { ...mine, ifMatch, body: { title: "Another title" } };
    const changed = await expectAnswer("changePost", 200, change);
    await expectAnswer("changePost", 412, change);
    expect((await expectAnswer("readPost", 200, mine)).headers().etag).toBe(changed.headers().etag);
    await expectAnswer("changePost", 403, { slug, as: otherToken, body: { title: "Mine now" } });
    const revisions = await (await expectAnswer("listRevisions", 200, mine)).json();
    expect(revisions.items).toMatchObject([{ title }]);
    const [{ id }] = revisions.items;
    const revision = await (await expectAnswer("readRevision", 200, { ...mine, id })).json();
    expect(revision).toMatchObject({ title, content: "Words." });
    const changes = await (await expectAnswer("compareRevision", 200, { ...mine, id })).json();
    expect(changes).toMatchObject({ id, same: false, compared: true });
    expect(changes.content).toEqual([{ kind: "same", text: "Words." }]);
    const withoutAdded = changes.title.filter(({ kind }: { kind: string }) => kind !== "added");
    expect(withoutAdded.map(({ text }: { text: string }) => text).join("")).toBe(title);
    await expectAnswer("restoreRevision", 403, { slug, as: otherToken, id });
    await expectAnswer("restoreRevision", 412, { ...mine, id, ifMatch });
    const present = changed.headers().etag ?? "";
    const restored = await expectAnswer("restoreRevision", 200, { ...mine, id, ifMatch: present });
    expect(await restored.json()).toMatchObject({ slug, title });
    await expectAnswer("deletePost", 412, { ...mine, ifMatch: present });
    await expectAnswer("readPost", 200, mine);
    await expectAnswer("deletePost", 403, { slug, as: otherToken });
    const draft = { title: newName("A draft"), content: "Words.", draft: true, tags: ["water"] };
    await expectAnswer("createPost", 201, { as: token, body: draft });
    const drafts = await (await expectAnswer("listDrafts", 200, { as: token })).json();
    expect(drafts.items).toMatchObject([{ title: draft.title, publishedAt: null, tags: ["water"] }]);
    await expectAnswer("listDrafts", 422, { as: token, query: "?cursor=x" });
  });

  await test.step("posts by author, year and tag, and those near one", async () => {
    const own = await (await expectAnswer("listPosts", 200, { query: `?author=${author.username}` })).json();
    expect(own.items).toMatchObject([{ slug }]);
    for (const name of [other.username, newName("none")]) {
      const list = await expectAnswer("listPosts", 200, { query: `?author=${name}` });
      expect(await list.json()).toEqual({ items: [], nextCursor: null });
    }
    await expectAnswer("listPosts", 422, { query: "?author=%00" });
    const body = { title: newName("Tagged"), content: "Words.", tags: ["stone"] };
    await expectAnswer("createPost", 201, { as: token, body });
    const tags = await (await expectAnswer("listTags", 200)).json();
    expect(tags).toEqual({ items: [{ slug: "stone", name: "stone", posts: 1 }], nextCursor: null });
    await expectAnswer("listTags", 422, { query: "?cursor=%00" });
    const { items } = await (await expectAnswer("readArchive", 200)).json();
    const [{ year }] = items;
    expect(items).toEqual([{ year, posts: 2 }]);
    const ofYear = await (await expectAnswer("listPostsOfYear", 200, { year })).json();
    expect(ofYear.items).toMatchObject([{ title: body.title }, { slug }]);
    await expectAnswer("listPostsOfYear", 404, { year: 1 });
    await expectAnswer("listPostsOfYear", 422, { year, query: "?cursor=x" });
    const nearby = await (await expectAnswer("readNearbyPosts", 200, { slug })).json();
    expect(nearby).toMatchObject({ older: null, newer: { title: body.title }, related: [] });
  });

  await test.step("a post that has moved", async () => {
    const body = { title: newName("Moved"), content: "Words." };
    const { slug: former } = await (await expectAnswer("createPost", 201, { as: token, body })).json();
    await expectAnswer("changePost", 200, { slug: former, as: token, body: { slug: newName("moved") } });
    for (const id of [
      "readPost",
      "readScore",
      "readRating",
      "listRevisions",
      "readRevision",
      "compareRevision",
      "readNearbyPosts",
    ])
      await expectAnswer(id, 308, { slug: former, as: token });
  });

  await test.step("previews and images", async () => {
    await expectAnswer("previewPost", 200, { as: token, body: { content: "*Words.*" } });
    const { body, type } = await imageForm();
    const saved = await (await expectAnswer("uploadImage", 201, { as: token, body, type })).json();
    const { id, markdown } = saved;
    await expectAnswer("describeImage", 200, { as: token, id, body: { alt: "White" } });
    await expectAnswer("describeImage", 404, { as: otherToken, id, body: { alt: "Mine" } });
    const post = { title: newName("With an image"), content: markdown };
    const using = await (await expectAnswer("createPost", 201, { as: token, body: post })).json();
    await expectAnswer("removeImage", 409, { as: token, id });
    await expectAnswer("changePost", 200, { slug: using.slug, as: token, body: { content: "None." } });
    await expectAnswer("removeImage", 404, { as: otherToken, id });
    await expectAnswer("removeImage", 204, { as: token, id });
    const listed = await (await expectAnswer("listImages", 200, { as: token })).json();
    expect(listed.room).toEqual({ used: 0, maximum: expect.any(Number) });
    await expectAnswer("listImages", 422, { as: token, query: "?limit=0" });
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
    const rated = await (await expectAnswer("listRatings", 200, { as: token })).json();
    expect(rated).toMatchObject({ items: [{ slug, score: 2, state: "counted" }], nextCursor: null });
    await expectAnswer("listRatings", 422, { as: token, query: "?cursor=x" });
    await expectAnswer("withdrawRating", 204, mine);
  });

  await test.step("bookmarks", async () => {
    for (let times = 0; times < 2; times += 1) await expectAnswer("addBookmark", 204, mine);
    const list = await expectAnswer("listBookmarks", 200, { as: token, query: "?limit=1" });
    expect(await list.json()).toMatchObject({ items: [{ slug }], nextCursor: null });
    await expectAnswer("listBookmarks", 422, { as: token, query: "?cursor=x" });
    for (let times = 0; times < 2; times += 1) await expectAnswer("removeBookmark", 204, mine);
    await expectAnswer("deletePost", 200, mine);
  });

  await test.step("resources that do not exist", async () => {
    const nowhere = { slug: "there-is-no-such-post", as: token };
    for (const id of ["readPost", "deletePost", "readScore", "readRating", "withdrawRating"])
      await expectAnswer(id, 404, nowhere);
    for (const id of [
      "listRevisions",
      "readRevision",
      "compareRevision",
      "restoreRevision",
      "readNearbyPosts",
    ])
      await expectAnswer(id, 404, nowhere);
    for (const id of ["addBookmark", "removeBookmark"]) await expectAnswer(id, 404, nowhere);
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

  await test.step("emails to addresses without a log-in", async () => {
    const email = "reader@example.org";
    await expectAnswer("issueChallenge", 422, { query: "?for=x" });
    await expectAnswer("requestPasswordReset", 204, { body: { email } });
    await expectAnswer("requestPasswordReset", 409, { body: { email }, from: withoutMail });
    await expectAnswer("subscribe", 422, { body: { email } });
    const subscription = { email, ...(await solvedAt(server.origin, "subscription")) };
    await expectAnswer("subscribe", 204, { body: subscription });
    await expectAnswer("subscribe", 422, { body: subscription });
    await expectAnswer("subscribe", 422, { body: { email, ...(await solvedAt(server.origin)) } });
    await expectAnswer("subscribe", 409, { body: { email }, from: withoutMail });
    const confirmation = { body: { token: await tokenTo(email, "/subscribe/confirm") } };
    for (let times = 0; times < 2; times += 1) await expectAnswer("confirmSubscription", 204, confirmation);
    await expectAnswer("confirmSubscription", 404, { body: { token: `${confirmation.body.token}x` } });
    const { items } = await (await expectAnswer("listSubscribers", 200, { as: token })).json();
    expect(items).toMatchObject([{ email }]);
  });

  await test.step("the links in emails to accounts", async () => {
    const mover = await signUp(await openBrowser(server), "mover");
    const taker = await signUp(await openBrowser(server), "taker");
    const logIn = async ({ username }: typeof mover, secret: string) =>
      expectAnswer("logIn", 200, { body: { username, password: secret }, from: mover.page.request });
    const addressOf = ({ username }: typeof mover) => `${username}@example.org`;
    const from = mover.page.request;
    await expectAnswer("requestPasswordReset", 204, { body: { email: addressOf(mover) } });
    const reset = { token: await tokenTo(addressOf(mover), "/login/reset"), newPassword: "still water 9" };
    await expectAnswer("setForgottenPassword", 422, { body: { ...reset, newPassword: "password1" } });
    await expectAnswer("setForgottenPassword", 204, { body: reset });
    await expectAnswer("setForgottenPassword", 404, { body: reset });
    await logIn(mover, reset.newPassword);
    await expectAnswer("requestConfirmation", 200, { from });
    const confirm = async (sent: string) =>
      (await expectAnswer("confirmAddress", 200, { body: { token: sent } })).json();
    const first = await tokenTo(addressOf(mover), "/confirm-email");
    expect(await confirm(first)).toEqual({ confirmed: "address" });
    await expectAnswer("confirmAddress", 404, { body: { token: first } });
    /** Changes an address; resolves to the token of the link that restores it. */
    const change = async (sender: typeof mover, email: string, currentPassword: string) => {
      const body = { email, currentPassword };
      await expectAnswer("changeEmail", 204, { body, from: sender.page.request });
      expect(await confirm(await tokenTo(email, "/account/new-email"))).toEqual({ confirmed: "new-address" });
      return tokenTo(addressOf(sender), "/account/restore-email");
    };
    const ofMover = await change(mover, `${newName("moved")}@example.org`, reset.newPassword);
    const ofTaker = await change(taker, addressOf(mover), password);
    const restoration = (sent: string) => ({ body: { token: sent, newPassword: "calm water 7" } });
    await expectAnswer("restoreEmail", 409, restoration(ofMover));
    await expectAnswer("restoreEmail", 204, restoration(ofTaker));
    await expectAnswer("restoreEmail", 404, restoration(ofTaker));
    await expectAnswer("restoreEmail", 204, restoration(ofMover));
    await logIn(mover, "calm water 7");
    const restored = await (await expectAnswer("readEmail", 200, { from })).json();
    expect(restored.email).toBe(addressOf(mover));
  });

  await test.step("registrations that a link confirms", async () => {
    const set = (EMAIL_VERIFICATION: string) =>
      expectAnswer("changeSettings", 200, { as: token, body: { EMAIL_VERIFICATION } });
    await set("to-register");
    const username = newName("later");
    const [email, other] = [`${username}@example.org`, `${username}@example.net`];
    for (const address of [email, other]) {
      const account = { username, email: address, password };
      await expectAnswer("register", 202, { body: { ...account, ...(await solvedAt(server.origin)) } });
    }
    const link = async (address: string) => ({
      body: { token: await tokenTo(address, "/register/confirm") },
    });
    const confirmed = await expectAnswer("confirmAddress", 200, await link(email));
    expect(await confirmed.json()).toEqual({ confirmed: "registration" });
    await expectAnswer("confirmAddress", 409, await link(other));
    await set("");
  });

  await test.step("the site and a profile", async () => {
    const site = await (await expectAnswer("readSite", 200)).json();
    expect(site).toMatchObject({ name: "Weir", registration: "open", subscriptions: true });
    const profile = await (await expectAnswer("readProfile", 200)).json();
    expect(profile).toEqual({
      username: other.username,
      registeredOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      disabled: false,
    });
    await expectAnswer("readProfile", 404, { username: "nobody" });
  });

  await test.step("the account, in a session", async () => {
    const from = author.page.request;
    const choices = { floods: true, decisions: false, undecided: false, posts: true };
    await expectAnswer("changeMailChoices", 409, { body: choices, from });
    expect(await (await expectAnswer("requestConfirmation", 200, { from })).json()).toEqual({
      linkSent: true,
    });
    for (let sent = 1; sent < mailLimits["confirm-email"].perDay; sent += 1)
      await expectAnswer("requestConfirmation", 200, { from });
    await expectAnswer("requestConfirmation", 409, { from });
    await inDatabase(server, async (database) => {
      const user = await database.users.byUsernameKey(author.username);
      await database.transaction(() => database.users.confirmEmail(user?.id ?? 0, Date.now()));
    });
    expect(await (await expectAnswer("requestConfirmation", 200, { from })).json()).toEqual({
      linkSent: false,
    });
    await expectAnswer("changeMailChoices", 200, { body: choices, from });
    const chosen = await (await expectAnswer("readMailChoices", 200, { from })).json();
    expect(chosen).toEqual({ ...choices, email: `${author.username}@example.org`, confirmed: true });
    const byToken = await (await expectAnswer("readMailChoices", 200, { as: reading })).json();
    expect(byToken).toEqual({ ...choices, confirmed: true });
    const own = await (await expectAnswer("listPosts", 200, { query: `?author=${author.username}` })).json();
    await inDatabase(server, async (database) => {
      const post = await database.posts.idOf(own.items[0].slug);
      const at = Date.now();
      await database.floodWindows.save(post?.id ?? 0, {
        ...{ number: 1, openedAt: at, lastAt: at, closedAt: null, usualGapMs: 3_600_000, recentGapMs: 1 },
        ...{ counts: [130, 0, 0, 0, 0, 13], status: "held", decidedBy: null, decisions: 0 },
      });
    });
    const ending = { body: { token: await tokenTo(`${author.username}@example.org`, "/unsubscribe") } };
    for (let times = 0; times < 2; times += 1) await expectAnswer("unsubscribe", 204, ending);
    const ended = await (await expectAnswer("readMailChoices", 200, { from })).json();
    expect(ended).toMatchObject({ floods: false, posts: true });
    const email = `${newName("new")}@example.org`;
    const readEmail = async () => (await expectAnswer("readEmail", 200, { from })).json();
    const present = { email: `${author.username}@example.org`, confirmed: true };
    const newEmail = { email, currentPassword: password };
    await expectAnswer("changeEmail", 422, { body: { ...newEmail, currentPassword: "not it" }, from });
    await expectAnswer("changeEmail", 422, { body: { ...newEmail, email: present.email }, from });
    await expectAnswer("changeEmail", 204, { body: newEmail, from });
    expect(await readEmail()).toEqual({ ...present, pending: email });
    await expect.poll(() => mail.mails.map(({ recipients }) => recipients)).toContainEqual([email]);
    await expectAnswer("cancelEmailChange", 204, { from });
    expect(await readEmail()).toEqual({ ...present, pending: null });
    const elsewhere = await signUp(await openBrowser(), "elsewhere");
    await expectAnswer("changeEmail", 409, { body: newEmail, from: elsewhere.page.request });
    await expectAnswer("exportAccount", 422, { body: { currentPassword: "not the password" }, from });
    const copy = await expectAnswer("exportAccount", 200, { body: { currentPassword: password }, from });
    expect((await copy.body()).subarray(0, 4).toString()).toBe("PK\u0003\u0004");
    const leaver = await signUp(await openBrowser(server), "leaver");
    const leaving = { from: leaver.page.request };
    await expectAnswer("deleteAccount", 422, { ...leaving, body: { currentPassword: "not the password" } });
    await expectAnswer("deleteAccount", 204, { ...leaving, body: { currentPassword: password } });
    await expectAnswer("readEmail", 401, leaving);
    expect((await api.get(`/users/${leaver.username}`)).status()).toBe(404);
  });

  await test.step("users, their data, and accounts that wait", async () => {
    const as = token;
    const query = `?q=${other.username}`;
    const people = await (await expectAnswer("listPeople", 200, { as, query })).json();
    const { username } = other;
    const person = { username, email: `${username}@example.org`, role: "reader", status: "active" };
    expect(people).toMatchObject({ items: [person], nextCursor: null });
    await expectAnswer("listPeople", 422, { as, query: "?cursor=x" });
    expect(await (await expectAnswer("readPerson", 200, { as })).json()).toMatchObject(person);
    await expectAnswer("readPerson", 404, { as, username: "nobody" });
    await expectAnswer("exportPerson", 404, { as, username: "nobody" });
    const copy = await (await expectAnswer("exportPerson", 200, { as })).body();
    expect(copy.subarray(0, 4).toString()).toBe("PK\u0003\u0004");
    const path = `/api/users/${username}/export`;
    const headers = { "Sec-Fetch-Site": "cross-site" };
    expect((await author.page.request.get(path, { headers })).status()).toBe(403);
    const [kept, rejected] = [newName("kept"), newName("rejected")];
    await inDatabase(server, async (database) => {
      for (const name of [kept, rejected]) await addUser(database, name, { pendingSince: 1 });
    });
    const waiting = await (await expectAnswer("listWaitingAccounts", 200, { as })).json();
    expect(waiting).toMatchObject({ items: [{ username: kept }, { username: rejected }], count: 2 });
    await expectAnswer("listWaitingAccounts", 422, { as, query: "?page=x" });
    const decide = async (approve: boolean, ...usernames: string[]) =>
      (await expectAnswer("decideWaitingAccounts", 200, { as, body: { approve, usernames } })).json();
    expect(await decide(true, kept, "nobody")).toEqual({ decided: 1, others: 1 });
    expect(await decide(false, kept, rejected)).toEqual({ decided: 1, others: 1 });
    await expectAnswer("readPerson", 404, { as, username: rejected });
    const approved = await (await expectAnswer("readPerson", 200, { as, username: kept })).json();
    expect(approved.status).toBe("active");
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
    for (const caller of [{ from: author.page.request }, { as: token }]) {
      const changes = await (await expectAnswer("listAccountChanges", 200, caller)).json();
      expect(changes.items[0]).toMatchObject({ kind: "disable", usernames: [other.username] });
    }
  });

  await test.step("administration by a token", async () => {
    const as = token;
    await expectAnswer("readSettings", 200, { as });
    await expectAnswer("changeSettings", 200, { as, body: { WHO_MAY_WRITE: "approved", SITE_NAME: "Weir" } });
    await expectAnswer("changeSettings", 422, { as, body: { SITE_NAME: "\u0000" } });
    await expectAnswer("changeSettings", 403, { as, body: { MAIL_URL: "smtps://mail.example.org" } });
    await expectAnswer("listInvitations", 422, { as, query: "?page=x" });
    const body = { note: "A friend", days: "7", role: "writer" };
    const { id } = await (await expectAnswer("makeInvitation", 201, { as, body })).json();
    await expectAnswer("listInvitations", 200, { as });
    await expectAnswer("withdrawInvitation", 204, { as, id });
    await expectAnswer("withdrawInvitation", 404, { as, id });
    const writer = await signUp(await openBrowser(server), "writer");
    const { username } = writer;
    await expectAnswer("answerWritingRequest", 404, { as, username, body: { accept: true } });
    const readerToken = await makeToken(writer.page, "reader", ["write"]);
    const requested = await expectAnswer("requestToWrite", 200, { as: readerToken });
    expect((await requested.json()).requestedAt).not.toBeNull();
    const { items } = await (await expectAnswer("listWritingRequests", 200, { as })).json();
    expect(items).toMatchObject([{ username }]);
    await expectAnswer("answerWritingRequest", 200, { as, username, body: { accept: true } });
    const webhook = { url: "https://example.org/hook", events: ["flood.opened"] };
    const hook = await (await expectAnswer("addWebhook", 201, { as, body: webhook })).json();
    await expectAnswer("listWebhooks", 200, { as });
    await expectAnswer("renewWebhookSecret", 201, { as, id: hook.id });
    await expectAnswer("testWebhook", 204, { as, id: hook.id });
    const deliveries = await expectAnswer("listDeliveries", 200, { as, id: hook.id });
    expect(await deliveries.json()).toMatchObject({ items: [{ event: "webhook.test" }], nextCursor: null });
    await expectAnswer("retryDeliveries", 204, { as, id: hook.id });
    await expectAnswer("listDeliveries", 422, { as, id: hook.id, query: "?limit=0" });
    const changes = { url: "https://example.org/other", events: ["flood.decided"], isOn: false };
    await expectAnswer("changeWebhook", 200, { as, id: hook.id, body: changes });
    await expectAnswer("testWebhook", 409, { as, id: hook.id });
    await expectAnswer("retryDeliveries", 409, { as, id: hook.id });
    await expectAnswer("removeWebhook", 204, { as, id: hook.id });
    await expectAnswer("removeWebhook", 404, { as, id: hook.id });
    for (const id of ["renewWebhookSecret", "testWebhook", "retryDeliveries", "listDeliveries"])
      await expectAnswer(id, 404, { as, id: hook.id });
    await expectAnswer("changeWebhook", 404, { as, id: hook.id, body: { isOn: true } });
    const role = { role: "reader", why: "A test." };
    await expectAnswer("changeRole", 200, { as, username, body: role });
    await expectAnswer("changeRole", 404, { as, username: "nobody", body: role });
    await expectAnswer("changeRole", 409, { as, username: author.username, body: role });
    const chief = { role: "administrator", why: "A test.", currentPassword: password };
    await expectAnswer("changeRole", 403, { as, username, body: chief });
    const inSession = { username, from: author.page.request };
    for (const currentPassword of [undefined, "not it"])
      await expectAnswer("changeRole", 422, { ...inSession, body: { ...chief, currentPassword } });
    await expectAnswer("changeRole", 200, { ...inSession, body: chief });
    const disabling = { disabled: true, why: "A raid." };
    await expectAnswer("setUserDisabled", 409, { ...inSession, body: disabling });
    await expectAnswer("changeRole", 200, { ...inSession, body: { ...chief, role: "reader" } });
    const link = await (await expectAnswer("makeInvitation", 201, { as, body })).json();
    const acceptance = { body: { invitation: link.token }, from: writer.page.request };
    await expectAnswer("acceptInvitation", 204, acceptance);
    await expectAnswer("acceptInvitation", 403, acceptance);
  });

  await test.step("subscribers, images of all users and test emails by a token", async () => {
    const as = token;
    const subscribers = await (await expectAnswer("listSubscribers", 200, { as, query: "?q=author" })).json();
    expect(subscribers).toMatchObject({ items: [{ email: `${author.username}@example.org` }], count: 1 });
    await expectAnswer("listSubscribers", 422, { as, query: "?cursor=x" });
    const csv = await (await expectAnswer("exportSubscribers", 200, { as })).text();
    expect(csv).toContain(`"${author.username}@example.org",en,`);
    const headers = { "Sec-Fetch-Site": "cross-site" };
    const path = "/api/subscribers/export";
    expect((await author.page.request.get(path, { headers })).status()).toBe(403);
    const [{ id }] = subscribers.items;
    await expectAnswer("removeSubscriber", 204, { as, id });
    await expectAnswer("removeSubscriber", 404, { as, id });
    const saved = await (await expectAnswer("uploadImage", 201, { as, ...(await imageForm()) })).json();
    const images = await (await expectAnswer("listAllImages", 200, { as })).json();
    expect(images.items).toMatchObject([{ id: saved.id, username: author.username, posts: [] }]);
    await expectAnswer("listAllImages", 404, { as, query: "?username=nobody" });
    await expectAnswer("listAllImages", 422, { as, query: "?before=x" });
    const reason = { as, id: saved.id, body: { why: "A test." } };
    await expectAnswer("removeAnyImage", 200, reason);
    await expectAnswer("removeAnyImage", 404, reason);
    expect(await (await expectAnswer("readTestMail", 200, { as })).json()).toMatchObject({ state: "none" });
    expect(await (await expectAnswer("readOutbox", 200, { as })).json()).toMatchObject({
      ...{ from: "blog@weir.example", sendsLinks: true, givenUp: 0, fault: null },
    });
    for (let sent = 0; sent < mailLimits.test.perDay; sent += 1)
      await expectAnswer("sendTestMail", 204, { as });
    await expectAnswer("sendTestMail", 409, { as });
    const state = async () => (await (await expectAnswer("readTestMail", 200, { as })).json()).state;
    await expect.poll(state).toBe("sent");
  });

  await test.step("the site's logo, export and imports by a token", async () => {
    const as = token;
    const { body, type } = await imageForm();
    const logo = await (await expectAnswer("setSiteImage", 200, { as, body, type })).json();
    expect((await api.get(logo.address)).headers()["content-type"]).toBe("image/webp");
    await expectAnswer("removeSiteImage", 204, { as });
    expect((await api.get(logo.address)).status()).toBe(404);
    await expectAnswer("setSiteImage", 404, { as, name: "LOGO", body, type });
    await expectAnswer("removeSiteImage", 404, { as, name: "LOGO" });
    const headers = { "Sec-Fetch-Site": "cross-site" };
    expect((await author.page.request.get("/api/export", { headers })).status()).toBe(403);
    await expectAnswer("exportSite", 422, { as, query: "?emails=all" });
    const archive = await (await expectAnswer("exportSite", 200, { as, query: "?emails=yes" })).body();
    expect(archive.subarray(0, 4).toString()).toBe("PK\u0003\u0004");
    const upload = { as, body: archive, type: "application/octet-stream" };
    const saved = await (await expectAnswer("uploadArchive", 201, upload)).json();
    const of = { as, archive: saved.archive };
    expect(await (await expectAnswer("readImport", 200, of)).json()).toEqual({ state: "uploaded" });
    const trial = { format: "markdown", dryRun: true };
    // Another import, of a command on the same machine.
    const folder = { path: mediaFolderPath({ DATABASE_URL: server.databaseUrl, MEDIA_FOLDER: undefined }) };
    const other = await newArchiveFolder(folder);
    // It is taken for ended a minute after its last report.
    const at = Date.now() + 3_600_000;
    await writeReport(folder, other, newReport({ format: "markdown", isTrial: true, at }));
    await expectAnswer("startImport", 409, { ...of, body: trial });
    await removeArchive(folder, other);
    await expectAnswer("startImport", 200, { ...of, body: trial });
    const report = async () => (await expectAnswer("readImport", 200, of)).json();
    await expect.poll(async () => (await report()).state).toBe("done");
    expect(await report()).toMatchObject({ dryRun: true, counts: { failed: 0 } });
    await expectAnswer("readImport", 404, { as });
    await expectAnswer("startImport", 404, { as, body: trial });
  });

  await expectAnswer("describe", 200);

  // lib/bookmarks has the test: it takes a thousand posts.
  seen.add("addBookmark 409");
  // An earlier text was accepted once, so it takes other limits than then.
  seen.add("restoreRevision 422");
  // It takes an archive of more than 512 MB.
  seen.add("uploadArchive 413");
  // No request causes the server's own errors: e2e/outage.spec.ts tests some.
  const faults = ["500", "503"];
  const described = calls.flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .filter((status) => !faults.includes(status))
      .map((status) => `${operationId} ${status}`),
  );
  expect([...seen].toSorted()).toEqual(described.toSorted());
  expect(server.output).not.toContain("ended unexpectedly");
  await api.dispose();
  await mail.stop();
});

/** A form with an image as its file. */
async function imageForm() {
  const white = { width: 2, height: 2, channels: 3, background: "white" } as const;
  const image = await sharp({ create: white }).png().toBuffer();
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="white.png"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), image, Buffer.from("\r\n--x--\r\n")]);
  return { body, type: "multipart/form-data; boundary=x" };
}

async function describedBy(api: APIRequestContext): Promise<Document> {
  const answer = await api.get("/api/openapi.json");
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/json"]);
  return documentSchema.parse(await answer.json());
}
