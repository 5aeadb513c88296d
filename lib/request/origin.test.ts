import { expect, test } from "vitest";
import { requestOrigin } from "./origin.ts";

test("writes an origin as browsers do", () => {
  const of = (host: string, protocol: string) =>
    requestOrigin(new Headers({ host: "ignored", "x-forwarded-host": host, "x-forwarded-proto": protocol }));
  expect(of("Blog.Example:443", "https")).toBe("https://blog.example");
  expect(of("localhost:3000", "http")).toBe("http://localhost:3000");
  expect(of("[::1]:3000", "http")).toBe("http://[::1]:3000");
  expect(requestOrigin(new Headers({ host: "localhost" }))).toBe("http://localhost");
  expect(requestOrigin(new Headers())).toBeUndefined();
});
