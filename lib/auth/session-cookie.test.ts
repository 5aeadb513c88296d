import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { sessionCookieName, sessionTokenIn } from "./session-cookie.ts";

const name = sessionCookieName(false);
const secret = "a secret of tests";
const context = { name, secret, now: Date.now() };
const cookieWith = (payload: Record<string, unknown>, maxAge = 60) =>
  encode({ token: payload, secret, salt: name, maxAge });

test("reads the token from a cookie, again too", async () => {
  const cookie = await cookieWith({ sessionToken: "one" });
  expect(await sessionTokenIn(cookie, context)).toBe("one");
  expect(await sessionTokenIn(cookie, context)).toBe("one");
});

test("reads no token once the cookie has expired", async () => {
  const cookie = await cookieWith({ sessionToken: "one" });
  expect(await sessionTokenIn(cookie, context)).toBe("one");
  expect(await sessionTokenIn(cookie, { ...context, now: context.now + 61_000 })).toBeUndefined();
});

test("reads no token from a cookie of another secret, of another name, or without a token", async () => {
  const cookie = await cookieWith({ sessionToken: "one" });
  expect(await sessionTokenIn(cookie, { ...context, secret: "another" })).toBeUndefined();
  expect(await sessionTokenIn(cookie, { ...context, name: sessionCookieName(true) })).toBeUndefined();
  expect(await sessionTokenIn(await cookieWith({}), context)).toBeUndefined();
  expect(await sessionTokenIn("nonsense", context)).toBeUndefined();
});
