import { expect, test } from "vitest";
import { headerEffects } from "../testing/next-header-effects.ts";
import { nextHeaderNames } from "../testing/next-header-names.ts";
import { dropFrameworkHeaders, isDropped } from "./framework-headers.ts";

const names = nextHeaderNames();

/** Strings in the code that look like headers but are not. */
const notHeaders = new Set([
  "entries",
  "get",
  "js",
  "length",
  "ts",
  "x-gzip",
  "x-height",
  "x-cp1252",
  "x-www-form-urlencoded",
  "next-dev",
  "next-font-manifest",
  "next-image-loader",
  "next-instant-navigation-testing",
  "next-patch",
  "next-render-worker-",
  "next-route-announcer",
  "next-rspack",
  "next-size-adjust",
]);

test("every header that the installed Next.js reads is dropped, or has an effect that is written down", () => {
  expect(names.size).toBeGreaterThan(60);
  const unknown = [...names].filter(
    (name) => !isDropped(name) && !(name in headerEffects) && !notHeaders.has(name),
  );
  expect(unknown).toEqual([]);
});

test("drops the framework's headers and keeps all others", () => {
  const headers = {
    "x-middleware-prefetch": "1",
    "next-resume": "1",
    rsc: "1",
    cookie: "a=b",
    "x-request-id": "c",
  };
  dropFrameworkHeaders(headers);
  expect(headers).toEqual({ rsc: "1", cookie: "a=b", "x-request-id": "c" });
});
