import { expect, test } from "vitest";
import { isFromOtherSite, requestOrigin } from "./origin.ts";

test("writes an origin as browsers do", () => {
  const of = (host: string, protocol: string) =>
    requestOrigin(new Headers({ host: "ignored", "x-forwarded-host": host, "x-forwarded-proto": protocol }));
  expect(of("Blog.Example:443", "https")).toBe("https://blog.example");
  expect(of("localhost:3000", "http")).toBe("http://localhost:3000");
  expect(of("[::1]:3000", "http")).toBe("http://[::1]:3000");
  expect(requestOrigin(new Headers({ host: "localhost" }))).toBe("http://localhost");
  expect(requestOrigin(new Headers())).toBeUndefined();
});

test.each([
  [undefined, false],
  ["same-origin", false],
  ["none", false],
  ["same-site", true],
  ["cross-site", true],
])("a request with Sec-Fetch-Site %s is from another site: %s", (site, expected) => {
  const headers = new Headers(site === undefined ? {} : { "sec-fetch-site": site });
  expect(isFromOtherSite(headers)).toBe(expected);
});
