/**
 * Texts that take a Markdown parser minutes are refused in time.
 * Meanwhile the server keeps answering.
 */
import { intricateText } from "../testing/intricate-texts.ts";
import { expectProblem, test } from "./api-user.ts";
import { signUp } from "./people.ts";
import { expect } from "./test.ts";

test("answers others while a post that is too intricate is refused", async ({ newUser, request }) => {
  const user = await newUser();
  let isRefused = false;
  const refusal = user.api
    .post("/api/posts", { data: { title: "Intricate", content: intricateText() } })
    .finally(() => {
      isRefused = true;
    });
  let answersBefore = 0;
  while (!isRefused) {
    expect((await request.get("/healthz")).status()).toBe(200);
    answersBefore += Number(!isRefused);
  }
  const { errors } = await expectProblem(await refusal, 422);
  expect(errors).toEqual({ content: [expect.stringContaining("too intricate")] });
  // On one thread at most one is answered: that which was received before the text. How soon the others are answered
  // depends on the machine: `npm run bench -- faults:server` measures it (bench/faults/server.ts), with 200 ms as target.
  expect(answersBefore).toBeGreaterThan(3);
});

test("gives a text that is too intricate back to its writer, with the reason", {
  tag: "@without-javascript",
}, async ({ page, faults }) => {
  // Of its preview.
  faults.expectStatus(422);
  await signUp(page, "author");
  await page.goto("/posts/new");
  // On few lines: the browser itself is slow with very many.
  const text = `${">".repeat(12_000)} x`;
  await page.getByRole("textbox", { name: "Title" }).fill("Intricate");
  await page.getByRole("textbox", { name: "Content" }).fill(text);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("This text is too intricate")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Content" })).toHaveValue(text);
});
