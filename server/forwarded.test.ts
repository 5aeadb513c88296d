import { describe, expect, test } from "vitest";
import { isForeign, sentTo } from "./forwarded.ts";

const direct = { trustedHops: 0, siteUrl: undefined };
const proxied = { trustedHops: 1, siteUrl: undefined };
const forwarded = { host: "inside:3000", "x-forwarded-host": "blog.example", "x-forwarded-proto": "https" };

describe("where a request was sent", () => {
  test("comes from the Host header and the socket when no proxy is trusted", () => {
    expect(sentTo(forwarded, direct, false)).toEqual({ host: "inside:3000", protocol: "http" });
    expect(sentTo(forwarded, direct, true)).toEqual({ host: "inside:3000", protocol: "https" });
  });

  test("comes from a trusted proxy", () =>
    expect(sentTo(forwarded, proxied, false)).toEqual({ host: "blog.example", protocol: "https" }));

  test("comes from the outermost trusted proxy, not from entries the client put before", () => {
    const headers = { host: "inside", "x-forwarded-host": "evil.example, blog.example, middle" };
    expect(sentTo(headers, { ...proxied, trustedHops: 2 }, false).host).toBe("blog.example");
  });

  test("falls back on the Host header when the proxy names no valid host", () => {
    expect(sentTo({ host: "blog.example" }, proxied, false).host).toBe("blog.example");
    expect(sentTo({ ...forwarded, "x-forwarded-host": "a b" }, proxied, false).host).toBe("inside:3000");
  });

  test("is https behind a proxy that does not report it, when the site's own address is https", () => {
    const trust = { trustedHops: 0, siteUrl: "https://blog.example" };
    expect(sentTo({ host: "blog.example" }, trust, false).protocol).toBe("https");
    expect(sentTo({ host: "other.example" }, trust, false).protocol).toBe("http");
  });

  test.each(["", "a b", "a/b", "user@host", "host:port", "host:99999", "1.2.3.4.5", "[::1", "<x>"])(
    "has no host when the Host header is %j",
    (host) => expect(sentTo({ host }, direct, false).host).toBeUndefined(),
  );
});

describe("a request that may change something is foreign", () => {
  const blog = { host: "blog.example", protocol: "https" } as const;

  test("not when it has our own origin, or none", () => {
    expect(isForeign("POST", "https://blog.example", blog)).toBe(false);
    expect(isForeign("POST", undefined, blog)).toBe(false);
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
  ])("when its origin is %j, whatever its method", (origin) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect(isForeign(method, origin, blog)).toBe(true);
    for (const method of ["GET", "HEAD", "OPTIONS"]) expect(isForeign(method, origin, blog)).toBe(false);
  });
});
