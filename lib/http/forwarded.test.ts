import { describe, expect, test } from "vitest";
import { requestOrigin, sentTo } from "./forwarded.ts";

const direct = { trustedHops: 0, siteUrl: undefined };
const proxied = { trustedHops: 1, siteUrl: undefined };
const forwarded = { host: "inside:3000", "x-forwarded-host": "blog.example", "x-forwarded-proto": "https" };

describe("where a request was sent", () => {
  test("is what the Host header and the socket say when no proxy is trusted", () => {
    expect(sentTo(forwarded, direct, false)).toEqual({ host: "inside:3000", protocol: "http" });
    expect(sentTo(forwarded, direct, true)).toEqual({ host: "inside:3000", protocol: "https" });
  });

  test("is what a trusted proxy says", () =>
    expect(sentTo(forwarded, proxied, false)).toEqual({ host: "blog.example", protocol: "https" }));

  test("is what the outermost trusted proxy says, not what the client put before", () => {
    const headers = { host: "inside", "x-forwarded-host": "evil.example, blog.example, middle" };
    expect(sentTo(headers, { ...proxied, trustedHops: 2 }, false).host).toBe("blog.example");
  });

  test("falls back on the Host header when the proxy names no host, or none that can be one", () => {
    expect(sentTo({ host: "blog.example" }, proxied, false).host).toBe("blog.example");
    expect(sentTo({ ...forwarded, "x-forwarded-host": "a b" }, proxied, false).host).toBe("inside:3000");
  });

  test("is https behind a proxy that does not say so, when the site's own address is", () => {
    const trust = { trustedHops: 0, siteUrl: "https://blog.example" };
    expect(sentTo({ host: "blog.example" }, trust, false).protocol).toBe("https");
    expect(sentTo({ host: "other.example" }, trust, false).protocol).toBe("http");
  });

  test.each(["", "a b", "a/b", "user@host", "host:port", "host:99999", "1.2.3.4.5", "[::1", "<x>"])(
    "is no host when it says %j",
    (host) => expect(sentTo({ host }, direct, false).host).toBeUndefined(),
  );
});

test("an origin is written as browsers write it", () => {
  const of = (host: string, protocol: string) =>
    requestOrigin(new Headers({ host: "ignored", "x-forwarded-host": host, "x-forwarded-proto": protocol }));
  expect(of("Blog.Example:443", "https")).toBe("https://blog.example");
  expect(of("localhost:3000", "http")).toBe("http://localhost:3000");
  expect(of("[::1]:3000", "http")).toBe("http://[::1]:3000");
  expect(requestOrigin(new Headers({ host: "localhost" }))).toBe("http://localhost");
  expect(requestOrigin(new Headers())).toBeUndefined();
});
