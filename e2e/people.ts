/**
 * People and posts that a test needs but is not about.
 * Made through the JSON API, in the browser of the person, who is logged in there afterwards. Every name is a new
 * one, so that tests do not meet.
 */
import { randomUUID } from "node:crypto";
import { type APIResponse, expect, type Locator, type Page } from "playwright/test";
import { type Database, openDatabase } from "../db/index.ts";
import { setRoleByOperator } from "../lib/users/manage.ts";
import { solved } from "../testing/registration.ts";
import { picture } from "./picture.ts";
import type { Server } from "./server.ts";

export const password = "correct horse battery";

export interface Person {
  username: string;
  page: Page;
}

/** A unique name such as "ada-3f9c1a2b". */
export function newName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}

/** Registers a new account on this page. */
export function signUp(page: Page, prefix = "reader"): Promise<Person> {
  return signUpAs(page, newName(prefix));
}

/** The same under a name that must still be free. */
export async function signUpAs(page: Page, username: string): Promise<Person> {
  const proof = await solved(page.request.get("/api/challenge"));
  const data = { username, email: `${username}@example.org`, password, ...proof };
  await expectStatus(page.request.post("/api/users", { data }), 201);
  return { username, page };
}

/** Makes a user an administrator, as the first account of a blog is. */
export async function makeAdministrator(
  server: Pick<Server, "databaseUrl">,
  { username }: Pick<Person, "username">,
): Promise<void> {
  await inDatabase(server, (database) =>
    setRoleByOperator({ database }, { username, role: "administrator", given: true, now: Date.now() }),
  );
}

/** Registers a new account on this page, and makes it an administrator. */
export async function signUpAdministrator(server: Pick<Server, "databaseUrl">, page: Page): Promise<Person> {
  const administrator = await signUp(page, "administrator");
  await makeAdministrator(server, administrator);
  return administrator;
}

/** Makes a user a moderator. */
export async function makeModerator(
  server: Pick<Server, "databaseUrl">,
  { username }: Pick<Person, "username">,
): Promise<void> {
  await inDatabase(server, (database) =>
    setRoleByOperator({ database }, { username, role: "moderator", given: true, now: Date.now() }),
  );
}

export async function inDatabase<Result>(
  { databaseUrl }: Pick<Server, "databaseUrl">,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(databaseUrl);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Takes the first step of deleting the account, which needs the password. */
export async function beginDeletion(page: Page, given = password): Promise<void> {
  await page.goto("/account");
  await page.locator("#delete-account").getByLabel("Your password").fill(given);
  await page.getByRole("button", { name: "Continue to deletion" }).click();
}

/** Publishes a post; returns its slug. */
export async function publish(
  { page }: Person,
  { title = newName("A post"), content = "Some words." } = {},
): Promise<string> {
  const response = await expectStatus(page.request.post("/api/posts", { data: { title, content } }), 201);
  const { slug }: { slug: string } = await response.json();
  return slug;
}

/** Gives a post a first rating. */
export async function rate({ page }: Person, slug: string, score: number): Promise<void> {
  await expectStatus(page.request.post(ratingPath(slug), { data: { score } }), 201);
}

/** Gives stars on a post's page: by a click, or without JavaScript a button. */
export async function giveStars(page: Page, stars: string, javaScriptEnabled = true): Promise<void> {
  await page.getByRole("radio", { name: stars }).check();
  if (!javaScriptEnabled) await page.getByRole("button", { name: /^(Rate|Update rating)$/ }).click();
}

export function postPath(slug: string): string {
  return `/posts/${encodeURIComponent(slug)}`;
}

export function ratingPath(slug: string): string {
  return `/api/posts/${encodeURIComponent(slug)}/rating`;
}

export async function expectStatus(request: Promise<APIResponse>, status: number): Promise<APIResponse> {
  const response = await request;
  expect(response.status(), await response.text()).toBe(status);
  return response;
}

/** Uploads an image of the person who is logged in there. */
export async function addImage(
  { request }: Page,
  { alt = "A lake", content }: { alt?: string; content?: Buffer } = {},
): Promise<{ id: number; address: string; markdown: string }> {
  const file = { name: "lake.jpg", mimeType: "image/jpeg", buffer: content ?? (await picture()) };
  const answer = await request.post("/api/media", { multipart: { file, alt } });
  expect(answer.status()).toBe(201);
  return answer.json();
}

/** Chooses colours at the foot of the page, and waits for them. */
export async function chooseColours(page: Page, name: "Dark" | "Light"): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", name.toLowerCase());
  // The page is loaded again: its scripts have run then.
  await page.waitForLoadState();
}

/** Keeps a page's scripts from being loaded, until they are released. */
export async function holdScripts(page: Page, pattern = "**/_next/static/**/*.js*") {
  const { promise, resolve } = Promise.withResolvers<void>();
  let held = 0;
  await page.route(pattern, async (route) => {
    held += 1;
    await promise;
    await route.continue();
  });
  return { release: resolve, held: () => held };
}

/**
 * Whether React has taken over an element of the server's HTML.
 * React leaves a mark on it.
 */
export function isTakenOver(element: Locator): Promise<boolean> {
  return element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__react")));
}
