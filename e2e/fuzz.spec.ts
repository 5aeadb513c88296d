/**
 * Fuzzes all routes: no request is answered with a server error.
 * Every route × method × content type and broken forms, 10,000 bodies in all, and headers of Next.js.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "playwright/test";
import { routes as appRoutes } from "../lib/observe/routes.ts";
import { nextHeaderNames } from "../testing/next-header-names.ts";
import { cookiesOf, manyAccounts, solvedAt } from "../testing/registration.ts";
import { type Field, hiddenFieldsOfAll } from "./nodes/forms.ts";
import { newServer, type Server } from "./server.ts";

const bodies = 10_000;
/** Of these: pages' own forms with broken fields. */
const withForms = 400;
/** Pages with random headers, without a body. */
const withHeaders = 400;
const seed = 20_261_122;
const inFlight = 16;
/** A random action may end the session. */
const requestsPerSession = 500;
const account = { username: "fuzzer", password: "a long enough password" };

const values: Record<string, readonly string[]> = {
  "[slug]": ["a-post", "nothing"],
  "[username]": ["fuzzer"],
  "[name]": ["fuzzer", "SITE_LOGO"],
  "[archive]": ["0".repeat(32), "nothing"],
  "[id]": ["1", "nothing"],
  "[year]": ["2026", "nothing"],
  "[file]": [`${"a".repeat(25)}-480x270.webp`, "nothing"],
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

const pages = appRoutes
  .filter((route) => !/^\/(api|media)|\.|^\/(healthz|metrics|readyz)$/.test(route))
  .flatMap(pathsOf);
const paths = [
  ...appRoutes.flatMap(pathsOf),
  ...["/icon.svg", "/_next/image?url=/icon.svg&w=64&q=75", "/_global-error", "/_next/static/nothing.js"],
  "/wp-login.php",
];
const withoutBody = ["GET", "HEAD"];
const methods = [...withoutBody, "POST", "PUT", "PATCH", "OPTIONS", "DELETE"];
const types = [
  ...["application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"],
  ...["text/plain;charset=UTF-8", "application/json; charset=latin1", ""],
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
const pageWithHeaders = () => {
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
test.beforeAll(async () => {
  server = await newServer({
    METRICS_TOKEN: "a-token-of-the-fuzzer",
    HOST: "127.0.0.1",
    LIMITS: JSON.stringify({
      ...manyAccounts,
      "login.address": { capacity: 1_000 },
      "login.account": { capacity: 1_000 },
    }),
  });
  const email = "fuzzer@example.org";
  const registered = await postJson("/api/users", { ...account, email, ...(await solvedAt(server.origin)) });
  expect(registered.status).toBe(201);
});
test.afterAll(() => server.remove());

async function postJson(path: string, body: object, cookie = ""): Promise<Response> {
  return await fetch(server.origin + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", cookie },
    body: JSON.stringify(body),
  });
}

/** A new session's cookies, so that requests get past the log-in. */
async function logIn(): Promise<string> {
  const answer = await postJson("/api/session", account);
  expect(answer.status).toBe(200);
  return cookiesOf(answer.headers);
}

/** The forms of all pages, for a visitor and for the administrator. */
async function allForms(cookie: string): Promise<Form[]> {
  const forms: Form[] = [];
  for (const path of pages)
    for (const headers of [{}, { cookie }]) {
      const html = await (await fetch(server.origin + path, { headers, redirect: "manual" })).text();
      for (const fields of hiddenFieldsOfAll(html)) if (fields.length > 0) forms.push({ path, fields });
    }
  return forms;
}

test("no request is answered with a server error", async () => {
  const session = await logIn();
  const post = await postJson("/api/posts", { title: "A post", content: "Some text." }, session);
  expect(post.status).toBe(201);
  const ids = actions().map(({ id }) => id);
  const forms = await allForms(session);
  expect(forms.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["/login", "/register", "/posts/new", "/account", "/admin", "/posts/a-post"]),
  );

  const combinations = paths.flatMap((path) =>
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
    fc.record({ bytes: anyBody, action }).map(
      ({ bytes, action }): FuzzRequest => ({
        path,
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
    ...sample(pageWithHeaders(), withHeaders),
    ...sample(fc.constantFrom(...readers).chain(fill), bodies - withForms - filled.filter(hasBody).length),
    // At the end: they delete the post and the session.
    ...filled.filter(({ method }) => method === "DELETE"),
  ];
  expect(sent.filter(hasBody)).toHaveLength(bodies);
  const failures: string[] = [];
  let cookie = session;
  await forEach(sent, async (request, index) => {
    if (index % requestsPerSession === 0) cookie = await logIn();
    const { path, method, headers, body } = request;
    const answer = await fetch(server.origin + path, {
      method,
      // Every third without a session.
      headers: { ...headers, ...(index % 3 !== 0 && { cookie }) },
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

test("no header that Next.js reads replaces a page's HTML, except rsc", async () => {
  // Sent by fetch itself, replaced by the server, or documented to change the answer.
  const excluded = /^(content-length|host|cookie|rsc|x-forwarded-)/;
  const names = [...nextHeaderNames()].filter((name) => !excluded.test(name));
  const requests = names.flatMap((name) =>
    ["1", "0", "", "/", "%"].flatMap((value) =>
      ["/", "/how-scores-work"].map((path) => ({ path, headers: { [name]: value } })),
    ),
  );
  const replaced: object[] = [];
  await forEach(requests, async ({ path, headers }) => {
    const answer = await fetch(server.origin + path, { headers });
    const isPage = (await answer.text()).includes("</h1>");
    const type = answer.headers.get("content-type");
    if (answer.status !== 200 || !type?.startsWith("text/html") || !isPage)
      replaced.push({ path, headers, status: answer.status, type, isPage });
  });
  expect(replaced).toEqual([]);
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
