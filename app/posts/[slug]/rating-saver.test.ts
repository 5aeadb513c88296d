import { expect, test } from "vitest";
import { createRatingSaver, type Rating } from "./rating-saver.ts";

/** A server with one reader's rating. */
function serverWith(initial: Rating) {
  const server = { rating: initial, sent: [] as Rating[] };
  let fault: "refused" | "request lost" | "answer lost" | undefined;
  const saver = createRatingSaver<boolean>({
    initial,
    isSaved: (answer) => answer,
    send: async (score) => {
      const failure = fault;
      fault = undefined;
      server.sent.push(score);
      await Promise.resolve();
      if (failure === "request lost") throw new Error(failure);
      if (failure === "refused") return false;
      server.rating = score;
      if (failure === "answer lost") throw new Error(failure);
      return true;
    },
  });
  const save = (score: Rating, failure?: typeof fault) => {
    fault = failure;
    return saver.save(score);
  };
  return { server, saver, save };
}

const saved = (former?: Rating) => ({
  kind: "answered",
  answer: true,
  ...(former !== undefined && { former }),
});

test("each saved rating can be undone to the one before it", async () => {
  const { server, save } = serverWith(null);
  expect(await save(2)).toEqual(saved(null));
  expect(await save(4)).toEqual(saved(2));
  expect(await save(2)).toEqual(saved(4));
  expect(await save(null)).toEqual(saved(2));
  expect(await save(2)).toEqual(saved(null));
  expect(server.sent).toEqual([2, 4, 2, null, 2]);
});

test("sends nothing for the rating that is saved, or being saved", async () => {
  const { server, saver, save } = serverWith(3);
  expect(saver.isCurrent(3)).toBe(true);
  const first = save(5);
  expect([saver.isCurrent(5), saver.isCurrent(3)]).toEqual([true, false]);
  await first;
  expect([saver.isCurrent(5), saver.isCurrent(3)]).toEqual([true, false]);
  expect(server.sent).toEqual([5]);
});

test("clicks during a request can be undone to the rating before all of them", async () => {
  const { server, save } = serverWith(3);
  const first = save(5);
  expect(await save(4)).toBeUndefined();
  expect(await save(1)).toBeUndefined();
  expect(await first).toEqual(saved(3));
  expect(server.sent).toEqual([5, 1]);
});

test("nothing can be undone when the last of several clicks leads back to the saved rating", async () => {
  const { server, save } = serverWith(3);
  const first = save(5);
  expect(await save(3)).toBeUndefined();
  expect(await first).toEqual(saved());
  expect(server).toEqual({ rating: 3, sent: [5, 3] });
});

test("the last rating can be saved again after a lost answer, and cannot be undone", async () => {
  const { server, saver, save } = serverWith(2);
  expect(await save(4, "answer lost")).toMatchObject({ kind: "lost" });
  expect(server.rating).toBe(4);
  expect([saver.isCurrent(2), saver.isCurrent(4), saver.known]).toEqual([false, false, undefined]);
  expect(await save(2)).toEqual(saved());
  expect(server.rating).toBe(2);
  expect(await save(5)).toEqual(saved(2));
});

test("the rating stays unknown when a refusal follows a lost answer", async () => {
  const { saver, save } = serverWith(null);
  await save(4, "answer lost");
  expect(await save(1, "refused")).toEqual({ kind: "answered", answer: false });
  expect(saver.known).toBeUndefined();
  expect(await save(1)).toEqual(saved());
  expect(saver.known).toBe(1);
});

test("the rating stays known after a refusal, which leaves nothing to undo", async () => {
  const { saver, save } = serverWith(2);
  expect(await save(4, "refused")).toEqual({ kind: "answered", answer: false });
  expect(saver.known).toBe(2);
  expect(await save(4)).toEqual(saved(2));
});

test("a click behind a lost answer can be undone to the rating before both", async () => {
  const { server, save } = serverWith(2);
  const first = save(4, "answer lost");
  await save(1);
  expect(await first).toEqual(saved(2));
  expect(server).toEqual({ rating: 1, sent: [4, 1] });
});

test("takes the rating of a refreshed page, except during a request and after a lost answer", async () => {
  const { saver, save } = serverWith(1);
  expect(saver.refreshed(2)).toBe(true);
  expect(saver.known).toBe(2);
  const sending = save(5);
  expect(saver.refreshed(3)).toBe(false);
  await sending;
  expect(saver.known).toBe(5);
  await save(4, "answer lost");
  // A page from before the lost request, which arrives late.
  expect(saver.refreshed(5)).toBe(false);
  expect([saver.known, saver.isCurrent(5)]).toEqual([undefined, false]);
});
