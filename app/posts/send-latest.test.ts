import { expect, test } from "vitest";
import { latestSender } from "./send-latest.ts";

test("sends one value at a time, and of those that arrive meanwhile only the last", async () => {
  const requests: { value: number; answer: (text: string) => void }[] = [];
  const send = latestSender((value: number) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    requests.push({ value, answer: resolve });
    return promise;
  });
  const sent = () => requests.map(({ value }) => value);

  const first = send(3);
  const [second, third] = [send(5), send(1)];
  expect(await second).toBeUndefined();
  expect(await third).toBeUndefined();
  expect(sent()).toEqual([3]);
  requests[0]?.answer("saved 3");
  await expect.poll(sent).toEqual([3, 1]);
  requests[1]?.answer("saved 1");
  expect(await first).toBe("saved 1");

  const later = send(2);
  requests[2]?.answer("saved 2");
  expect(await later).toBe("saved 2");
});
