/** The code blocks about webhooks. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { newWebhookSecret, signedHeaders } from "../lib/webhooks/signature.ts";
import { addPost, addUser, morning } from "../testing/content.ts";
import { temporaryDatabase, temporaryFolder } from "../testing/database.ts";
import { snippet } from "../testing/snippets.ts";

test("the verification accepts requests that the site signed, and no others", async () => {
  const file = join(temporaryFolder(), "verify.mjs");
  writeFileSync(file, snippet("docs/webhooks.md", "isAuthentic("));
  const { isAuthentic } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const [secret, other] = [newWebhookSecret(), newWebhookSecret()];
  const body = '{"type":"webhook.test"}';
  const headers = signedHeaders([other, secret], { id: "msg_1", now: morning, body });
  expect(isAuthentic(secret, headers, body, morning + 299_000)).toBe(true);
  expect(isAuthentic(other, headers, body, morning)).toBe(true);
  expect(isAuthentic(newWebhookSecret(), headers, body, morning)).toBe(false);
  expect(isAuthentic(secret, headers, `${body} `, morning)).toBe(false);
  expect(isAuthentic(secret, headers, body, morning + 302_000)).toBe(false);
});

test("the example of a message has the parts of a real one", async () => {
  const database = temporaryDatabase();
  await database.webhooks.insert({
    url: "https://example.org/",
    events: "post.published",
    encryptedSecret: "",
    createdAt: morning,
  });
  const author = await addUser(database, "ada");
  await addPost(database, author, { title: "Still water" });
  const [delivery] = await database.webhooks.latest(1);
  const example = JSON.parse(snippet("docs/webhooks.md", "water.example/posts"));
  example.data.post.url = "/posts/still-water";
  expect(JSON.parse(delivery?.body ?? "")).toEqual(example);
});
