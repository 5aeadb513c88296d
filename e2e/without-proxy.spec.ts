/**
 * Who may do what is decided beside the data: a build of the app without `proxy.ts` refuses just the same.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, type Page } from "@playwright/test";
import { type ApiUser, expectProblem, publish, test } from "./api-user.ts";
import { newServer, type Server } from "./server.ts";

test.describe.configure({ mode: "serial" });

const folder = resolve(`.cache/without-proxy-${process.pid}`);
const buildMaximumMs = 120_000;
let server: Server;
let built = false;

test.beforeAll(async () => {
  test.setTimeout(buildMaximumMs);
  mkdirSync(folder, { recursive: true });
  const parts = [
    "app",
    "db",
    "lib",
    "instrumentation.ts",
    "package.json",
    "postcss.config.mjs",
    "scripts/build-inputs.mjs",
    "tsconfig.json",
  ];
  for (const part of parts) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const configuration = readFileSync("next.config.ts", "utf8");
  const root = JSON.stringify(resolve("."));
  writeFileSync(join(folder, "next.config.ts"), configuration.replace("import.meta.dirname", root));
  const next = resolve("node_modules/next/dist/bin/next");
  const build = spawn(process.execPath, [next, "build"], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await once(build, "exit")).toEqual([0, null]);
  server = await newServer({}, folder);
  built = true;
});

test.afterAll(async () => {
  if (built) await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("without proxy.ts pages have no nonce: it really is not there", async ({ request }) => {
  await request.get(server.origin); // may come before the front door stands
  const { "content-security-policy": policy } = (await request.get(server.origin)).headers();
  expect(policy).toContain("default-src 'none'");
});

test("the API refuses whoever is not logged in, and whoever is somebody else", async ({
  newUser,
  request,
}) => {
  const [author, other] = [await newUser(server.origin), await newUser(server.origin)];
  const path = await publish(author);
  const url = `${server.origin}${path}`;
  for (const [method, target] of [
    ["POST", `${server.origin}/api/posts`],
    ["PATCH", url],
    ["DELETE", url],
    ["GET", `${url}/rating`],
    ["POST", `${url}/rating`],
    ["PUT", `${url}/rating`],
    ["DELETE", `${url}/rating`],
  ] as const)
    await expectProblem(
      await request.fetch(target, { method, data: { score: 1, title: "x", content: "x" } }),
      401,
    );
  await expectProblem(await other.api.patch(path, { data: { title: "Mine now" } }), 403);
  await expectProblem(await other.api.delete(path), 403);
  expect(await (await request.get(url)).json()).toMatchObject({ title: "A post", score: { count: 0 } });
});

test("protected pages send away whoever is not logged in, and refuse somebody else", async ({
  newUser,
  request,
}) => {
  const [author, other] = [await newUser(server.origin), await newUser(server.origin)];
  const post = (await publish(author)).replace("/api", "");
  for (const path of ["/posts/new", "/account", `${post}/edit`, `${post}/activity`]) {
    const answer = await request.get(server.origin + path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(307);
    expect(answer.headers().location).toMatch(/^\/login\?next=/);
  }
  for (const path of [`${post}/edit`, `${post}/activity`])
    expect([403, 404], path).toContain((await other.api.get(path)).status());
});

test("the forms of a person do nothing for anybody else", async ({ newUser, openBrowser, request }) => {
  const [author, other] = [await newUser(server.origin), await newUser(server.origin)];
  const api = await publish(author);
  const post = api.replace("/api", "");
  const page = await openBrowser(server);
  await page.context().addCookies((await author.api.storageState()).cookies);
  const before = await facts(author, api);
  let forms = 0;
  for (const path of ["/posts/new", post, `${post}/edit`, "/account"]) {
    for (const form of await formsOf(page, path)) {
      forms += 1;
      const multipart = { ...form, score: "5", title: "Mine now", content: "x" };
      const anonymous = await request.post(server.origin + path, { multipart, maxRedirects: 0 });
      expect(anonymous.status(), `${path} ${Object.keys(form)}`).toBe(303);
      expect(anonymous.headers().location).toMatch(/^\/(login|$)/);
      if (path.endsWith("/edit")) {
        const answer = await other.api.post(path, { multipart, maxRedirects: 0 });
        expect(answer.status()).toBeLessThan(500);
      }
      expect(await facts(author, api), `${path} ${Object.keys(form)}`).toEqual(before);
    }
  }
  expect(forms).toBeGreaterThanOrEqual(6);
});

/** What is known of a post and its author, and how many posts there are. */
async function facts({ api }: ApiUser, path: string) {
  const post = await (await api.get(path)).json();
  const posts = await (await api.get("/api/posts?limit=100")).json();
  return { post, count: posts.items.length, mine: (await api.get(`${path}/rating`)).status() };
}

/** The hidden fields of each form of a page that is a server action's, as a browser without JavaScript sends them. */
async function formsOf(page: Page, path: string): Promise<Record<string, string>[]> {
  const html = await (await page.request.get(server.origin + path)).text();
  await page.setContent(html.replaceAll(/<script\b.*?<\/script>/gs, ""));
  const forms = await page
    .locator("form")
    .evaluateAll((elements) =>
      elements.map((element) =>
        [...element.querySelectorAll<HTMLInputElement>("input[type=hidden]")].map(({ name, value }) => [
          name,
          value,
        ]),
      ),
    );
  return forms
    .map((fields): Record<string, string> => Object.fromEntries(fields))
    .filter((fields) => Object.keys(fields).some((name) => name.startsWith("$ACTION")));
}
