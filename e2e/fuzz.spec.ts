// Over 200 lines: requests and their senders, for one test.

/**
 * Fuzzes all routes: no request is answered with a server error.
 * 10,000 bodies in all: each route × method × content type gets at least one, then forms and the routes that read bodies
 * get the rest. Headers of Next.js, too.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "playwright/test";
import { apiScopes } from "../lib/api-tokens/scopes.ts";
import { routes as appRoutes } from "../lib/observe/routes.ts";
import { nextHeaderNames } from "../testing/next-header-names.ts";
import { cookiesOf, manyAccounts, solvedAt } from "../testing/registration.ts";
import { type Field, hiddenFieldsOfAll } from "./nodes/forms.ts";
import { password } from "./people.ts";
import { picture } from "./picture.ts";
import { newServer, type Server } from "./server.ts";
import { makeToken } from "./tokens.ts";

const bodies = 10_000;
/** Of these: pages' own forms with broken fields. */
const withForms = 400;
/** Pages with random headers, without a body. */
const withHeaders = 400;
const seed = 20_261_122;
const inFlight = 16;
/** A random action may end the session. */
const requestsPerSession = 500;
/** The administrator. */
const account = { username: "fuzzer", password };
const reader = { username: "reader", password };

/** Values of parameters; names that the server makes are added once they exist. */
const values: Record<string, string[]> = {
  // A post and a tag.
  "[slug]": ["a-post", "nothing"],
  "[username]": ["fuzzer"],
  "[name]": ["fuzzer", "SITE_LOGO"],
  "[archive]": ["nothing"],
  // An image, an invitation and a webhook.
  "[id]": ["1", "nothing"],
  "[year]": [String(new Date().getUTCFullYear()), "nothing"],
  "[file]": ["nothing"],
  "[[...rest]]": ["", "nothing"],
};

/** The paths of a route with a value for each of its parameters. */
function pathsOf(route: string): string[] {
  const [, parameter] = /(\[.*?\]+)/.exec(route) ?? [];
  if (parameter === undefined) return [route];
  const known = values[parameter];
  if (!known) throw new Error(`Give ${parameter} of ${route} a value above`);
  return known.flatMap((value) => pathsOf(route.replace(parameter, value)));
}

const pagePaths = () =>
  appRoutes.filter((route) => !/^\/(api|media)|\.|^\/(healthz|metrics|readyz)$/.test(route)).flatMap(pathsOf);
const allPaths = () => [
  ...appRoutes.flatMap(pathsOf),
  ...["/icon.svg", "/_next/image?url=/icon.svg&w=64&q=75", "/_global-error", "/_next/static/nothing.js"],
  "/wp-login.php",
];
const withoutBody = ["GET", "HEAD"];
const methods = [...withoutBody, "POST", "PUT", "PATCH", "OPTIONS", "DELETE"];
const types = [
  ...["application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"],
  ...["text/plain;charset=UTF-8", "application/json; charset=latin1", "application/octet-stream", ""],
];

/** All actions with a page of each, from the build. */
function actions(): { id: string; path: string }[] {
  const manifest = readFileSync(".next/server/server-reference-manifest.json", "utf8");
  const found: { node: Record<string, { workers: object }> } = JSON.parse(manifest);
  return Object.entries(found.node).map(([id, { workers }]) => {
    const [page = ""] = Object.keys(workers).filter((name) => !name.includes("_"));
    const [path = "/"] = pathsOf(/^app(.*)\/page$/.exec(page)?.[1] || "/");
    return { id, path };
  });
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

/** Objects that have no text, as their conversion is not a function. */
const withoutText: readonly unknown[] = ['{"toString":1}', '{"toString":null,"valueOf":1}'].map((text) =>
  JSON.parse(text),
);

/** A field, or a file with its name. */
type Part = readonly [name: string, value: string, file?: string];

function multipart(fields: readonly Part[]): string {
  const plain = (text: string) => text.replace(/["\r\n]/g, "");
  const parts = fields.map(([name, value, file]) => {
    const head = `--x\r\nContent-Disposition: form-data; name="${plain(name)}"`;
    const ofFile =
      file === undefined ? "" : `; filename="${plain(file)}"\r\nContent-Type: application/octet-stream`;
    return `${head}${ofFile}\r\n\r\n${value}\r\n`;
  });
  return `${parts.join("")}--x--\r\n`;
}

/** Beginnings of an image, a picture in text, an archive and a feed, and any text. */
const fileContent = fc.oneof(
  fc.constantFrom(
    "GIF89a\u0001\0\u0001\0",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "PK\u0003\u0004",
    "<rss>",
  ),
  fc.string({ maxLength: 200, unit: "binary" }),
);
const filePart = fc
  .tuple(
    fc.constantFrom("file", "1_file", "_1_file", "archive", "alt", "0"),
    fileContent,
    fc.constantFrom("", "a.png", "a.zip", "../a"),
  )
  .map((part): Part => part);

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
    .array(fc.oneof(special, fc.tuple(name, fc.oneof(json, reference)), filePart), { maxLength: 6 })
    .map(multipart);
  return fc.oneof(form, json, fileContent);
};

/** Queries with the parameters that pages and the API read. */
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...["revision", "cursor", "before", "page", "limit", "sort", "q", "tag", "done", "next", "token"],
        ...[
          "lane",
          "limits",
          "capacity",
          "stars",
          "counted",
          "image",
          "format",
          "network",
          "search",
          "rating",
        ],
      ),
      fc.oneof(
        fc.constantFrom("1", "-1", "1e99", "0.5", "", "a-post", "top", "all", "ema", "//evil.example", "%"),
        fc.string({ maxLength: 30, unit: "binary" }),
        fc.json({ maxDepth: 2 }),
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )
  // A lone surrogate is none of an address's characters.
  .map((pairs) => `?${new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]))}`);

/** A form's own hidden fields, some of them left out, replaced, doubled or cut. */
const brokenForm = (forms: readonly Form[]) =>
  fc
    .record({
      form: fc.constantFrom(...forms),
      changes: fc.array(
        fc.record({
          at: fc.nat(9),
          kind: fc.constantFrom("leave out", "replace", "double", "cut"),
          value: fc.oneof(reference, json),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    })
    .map(({ form, changes }): FuzzRequest => {
      let { fields } = form;
      for (const { at, kind, value } of changes)
        fields = fields.flatMap(([name, text], index): Field[] => {
          if (index !== at % fields.length) return [[name, text]];
          if (kind === "leave out") return [];
          if (kind === "replace") return [[name, value]];
          const other: Field = [name, kind === "cut" ? text.slice(0, text.length / 2) : text];
          return kind === "cut" ? [other] : [other, other];
        });
      return {
        path: form.path,
        method: "POST",
        headers: { "Content-Type": types[1] ?? "" },
        body: multipart(fields),
      };
    });

/** A page, or its data for Next.js's client, with headers that Next.js reads. */
const pageWithHeaders = (pages: readonly string[]) => {
  // Others are fetch's own.
  const names = [...nextHeaderNames()].filter((name) => !/^(content-.*|cookie|host)$/.test(name));
  const value = fc.oneof(
    fc.constantFrom(
      "1",
      "0",
      "",
      "/",
      "/_tree",
      "/posts/a-post",
      '["",{},null,null,true]',
      "%5B%22%22%5D",
      "%",
    ),
    fc.stringMatching(/^[!-~]{0,30}$/),
    fc.json({ maxDepth: 2 }).map(encodeURIComponent),
  );
  return fc
    .record({
      path: fc.constantFrom(...pages),
      hasRsc: fc.boolean(),
      headers: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }),
      isPart: fc.boolean(),
    })
    .map(
      ({ path, hasRsc, headers, isPart }): FuzzRequest => ({
        path: isPart ? `${path}?_rsc=abc` : path,
        method: "GET",
        headers: { ...headers, ...(hasRsc && { rsc: "1" }) },
      }),
    );
};

interface FuzzRequest {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

interface Form {
  path: string;
  fields: Field[];
}

let server: Server;
// One server for all.
test.describe.configure({ mode: "default" });
let token: string;
test.beforeAll(async ({ browser }) => {
  server = await newServer({
    METRICS_TOKEN: "a-token-of-the-fuzzer",
    HOST: "127.0.0.1",
    WEBHOOK_PRIVATE_ADDRESSES: "allow",
    LIMITS: JSON.stringify({
      ...manyAccounts,
      "login.address": { capacity: 1_000 },
      "login.account": { capacity: 1_000 },
      "api.token": { capacity: 10_000 },
      "lab.address": { capacity: 1_000 },
      "search.address": { capacity: 10_000 },
    }),
  });
  for (const { username } of [account, reader]) {
    const email = `${username}@example.org`;
    const challenge = await solvedAt(server.origin);
    const registered = await postJson("/api/users", { username, password, email, ...challenge });
    expect(registered.status).toBe(201);
  }
  await addContent(await logIn());
  const page = await browser.newPage({ baseURL: server.origin });
  await page.goto("/login");
  await page.getByLabel("Username").fill(account.username);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL("/");
  token = await makeToken(page, "fuzzing", apiScopes);
  await page.context().close();
});
test.afterAll(() => server.remove());

/** One of everything that a path or a query can name. */
async function addContent(cookie: string): Promise<void> {
  const content = { title: "A post", content: "Some text.", tags: ["A post"] };
  expect((await postJson("/api/posts", content, cookie)).status).toBe(201);
  const changed = await send("PATCH", "/api/posts/a-post", "application/json", '{"content":"New."}', cookie);
  expect(changed.status).toBe(200); // keeps revision 1
  const invitation = await postJson("/api/invitations", { note: "A friend", days: "7" }, cookie);
  expect(await invitation.json()).toMatchObject({ id: 1 });
  const webhook = { url: "https://127.0.0.1:9/", events: ["post.published"] };
  expect(await (await postJson("/api/webhooks", webhook, cookie)).json()).toMatchObject({ id: 1 });
  const form = new FormData();
  form.set("file", new File([new Uint8Array(await picture())], "lake.jpeg"));
  const image = await fetch(`${server.origin}/api/media`, {
    method: "POST",
    headers: { cookie },
    body: form,
  });
  const shown = JSON.stringify(await image.json());
  expect(shown).toContain('"id":1');
  values["[file]"]?.push(/\/media\/([\w.-]+)/.exec(shown)?.[1] ?? "");
  const saved = await send("POST", "/api/imports", "application/octet-stream", "PK", cookie);
  const { archive }: { archive: string } = await saved.json();
  for (const name of ["[archive]", "[id]"]) values[name]?.push(archive);
}

async function send(
  method: string,
  path: string,
  type: string,
  body: string,
  cookie: string,
): Promise<Response> {
  return await fetch(server.origin + path, { method, headers: { "Content-Type": type, cookie }, body });
}

function postJson(path: string, body: object, cookie = ""): Promise<Response> {
  return send("POST", path, "application/json", JSON.stringify(body), cookie);
}

/** A new session's cookies, so that requests get past the log-in. */
async function logIn(who = account): Promise<string> {
  const answer = await postJson("/api/session", who);
  expect(answer.status).toBe(200);
  return cookiesOf(answer.headers);
}

/** The forms of all pages, for a visitor and for the administrator. */
async function allForms(cookie: string): Promise<Form[]> {
  const forms: Form[] = [];
  for (const path of pagePaths())
    for (const headers of [{}, { cookie }]) {
      const html = await (await fetch(server.origin + path, { headers, redirect: "manual" })).text();
      for (const fields of hiddenFieldsOfAll(html)) if (fields.length > 0) forms.push({ path, fields });
    }
  return forms;
}

test("no request is answered with a server error", async () => {
  const pages = pagePaths();
  const session = await logIn();
  const ids = actions().map(({ id }) => id);
  const forms = await allForms(session);
  expect(forms.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["/login", "/register", "/posts/new", "/account", "/admin", "/posts/a-post"]),
  );

  // Each route × method × content type once, by construction; all else comes on top.
  const combinations = allPaths().flatMap((path) =>
    methods.flatMap((method) =>
      (withoutBody.includes(method) ? [""] : types).map(
        (type): FuzzRequest => ({
          path,
          method,
          headers: type ? { "Content-Type": type } : {},
        }),
      ),
    ),
  );
  // The routes that read a body: an action's, which Next.js decodes, and the API's.
  const readers = combinations.filter(
    ({ path, method, headers }) =>
      /multi|json$|plain/.test(headers["Content-Type"] ?? "") &&
      (path.startsWith("/api/") ? /POST|PUT|PATCH/.test(method) : method === "POST" && pages.includes(path)),
  );
  const anyBody = body(ids);
  // Without it Next.js renders the page again, which takes far longer than all else here.
  const action = fc.option(fc.constantFrom(...ids, "x"), { freq: 30 });
  const fill = ({ path, method, headers }: FuzzRequest) =>
    fc.record({ bytes: anyBody, action, search: fc.option(query) }).map(
      ({ bytes, action, search }): FuzzRequest => ({
        path: path.includes("?") ? path : path + (search ?? ""),
        method,
        headers: { ...headers, ...(action && method === "POST" && { "Next-Action": action }) },
        ...(!withoutBody.includes(method) && { body: bytes }),
      }),
    );
  const sample = (request: fc.Arbitrary<FuzzRequest>, numRuns: number, nth = 0) =>
    fc.sample(request, { numRuns, seed: seed + nth });
  const filled = combinations.flatMap((each, index) => sample(fill(each), 1, index));
  const hasBody = ({ body }: FuzzRequest) => body !== undefined;
  const sent = [
    ...filled.filter(({ method }) => method !== "DELETE"),
    ...sample(brokenForm(forms), withForms),
    ...sample(pageWithHeaders(pages), withHeaders),
    ...sample(fc.constantFrom(...readers).chain(fill), bodies - withForms - filled.filter(hasBody).length),
    // At the end: they delete the post and the session.
    ...filled.filter(({ method }) => method === "DELETE"),
  ];
  expect(sent.filter(hasBody)).toHaveLength(bodies);
  const failures: string[] = [];
  let administrator = session;
  let user = "";
  await forEach(sent, async (request, index) => {
    if (index % requestsPerSession === 0) [administrator, user] = [await logIn(), await logIn(reader)];
    const { path, method, headers, body } = request;
    const senders: Record<string, string>[] = [
      {},
      { cookie: administrator },
      { cookie: user },
      { cookie: administrator },
      { authorization: `Bearer ${token}` },
    ];
    const answer = await fetch(server.origin + path, {
      method,
      headers: { ...headers, ...senders[index % senders.length] },
      redirect: "manual",
      ...(body !== undefined && { body }),
    });
    await answer.arrayBuffer();
    if (answer.status >= 500) failures.push(`${answer.status} ${JSON.stringify(request)}`);
  });
  expect(failures).toEqual([]);
});

test("no action answers objects as arguments with a server error", async () => {
  const form = "$K1";
  const bodies = withoutText.flatMap((value) =>
    [
      [value, value, form],
      ["a-post", value, form],
      [{ search: value, network: value, page: value }, value, form],
    ].map((list) =>
      multipart([
        ["1_decision", "approve 1"],
        ["0", JSON.stringify(list)],
      ]),
    ),
  );
  const failures: string[] = [];
  await forEach(actions(), async ({ id, path }) => {
    // An action may end the session.
    for (const cookie of ["", await logIn()])
      for (const body of bodies) {
        const answer = await fetch(server.origin + path, {
          method: "POST",
          headers: { "Content-Type": types[1] ?? "", "Next-Action": id, cookie },
          body,
        });
        await answer.arrayBuffer();
        if (answer.status >= 500) failures.push(`${answer.status} ${path} ${id} ${body}`);
      }
  });
  expect(failures).toEqual([]);
});

/** Does work for each item in order, of several at a time. */
async function forEach<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const [index, item] of entries) await work(item, index);
    }),
  );
}
