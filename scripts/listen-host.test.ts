import { expect, test } from "vitest";
import { listenHost } from "./listen-host.mjs";

test("demo and dev listen on 127.0.0.1 unless HOST is set, npm start on all addresses", () => {
  expect(listenHost(undefined, { dev: true })).toBe("127.0.0.1");
  expect(listenHost(undefined, { demo: true })).toBe("127.0.0.1");
  expect(listenHost("192.0.2.1", { demo: true })).toBe("192.0.2.1");
  expect(listenHost(undefined)).toBeUndefined();
});
