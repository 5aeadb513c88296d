import { expect, test } from "vitest";
import { isForeign } from "./origin.ts";

function foreign(origin: string | undefined, method = "POST") {
  const headers = new Headers({ "x-forwarded-host": "blog.example", "x-forwarded-proto": "https" });
  if (origin !== undefined) headers.set("origin", origin);
  return isForeign({ method, headers });
}

test("our own origin, and none, are not foreign", () => {
  expect(foreign("https://blog.example")).toBe(false);
  expect(foreign(undefined)).toBe(false);
});

test.each([
  "https://evil.example",
  "https://blog.example.evil.example",
  "https://sub.blog.example",
  "http://blog.example",
  "https://blog.example:8443",
  "https://blog.example/",
  "https://blog.example, https://evil.example",
  "null",
  "",
  "rubbish",
])("%j is foreign to every method that may change something", (origin) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expect(foreign(origin, method)).toBe(true);
  for (const method of ["GET", "HEAD", "OPTIONS"]) expect(foreign(origin, method)).toBe(false);
});
