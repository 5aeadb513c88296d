import { expect, test } from "vitest";
import { appStarted, atShutdown, doShutdownWork, reportAppStart } from "./lifecycle.ts";

test("shutdown work is done to the end, and neither failing nor endless work prevents the end", async () => {
  let isDone = false;
  atShutdown(() => Promise.reject(new Error("the collector is gone")));
  atShutdown(() => new Promise(() => {}));
  atShutdown(async () => {
    await new Promise(setImmediate);
    isDone = true;
  });
  await doShutdownWork(50);
  expect(isDone).toBe(true);
});

test("an app that cannot start fails the server's start", async () => {
  const start = Promise.reject(new Error("no such table"));
  reportAppStart(start);
  await expect(appStarted).rejects.toThrow("no such table");
});
