import { expect, test } from "vitest";
import { validate } from "../validation.ts";
import { comparisonKey, logInSchema, registrationSchema } from "./schema.ts";

const good = { username: "alder", email: "alder@example.org", password: "a long password" };
const faults = (change: Record<string, unknown>) => {
  const checked = validate(registrationSchema, { ...good, ...change });
  return checked.ok ? {} : checked.errors;
};

test.each(["alder", "brook-17", "a.b_c", "رودخانه", "نهر۲", "みず", "नदी", "Ωμέγα", "x2"])(
  "the username %s is welcome",
  (username) => expect(faults({ username })).toEqual({}),
);

test.each([
  ["a", "at least 2"],
  ["x".repeat(31), "at most 30"],
  ["ﬃ".repeat(11), "at most 30"],
  ["two words", "letters and digits"],
  ["-alder", "letters and digits"],
  ["../etc", "letters and digits"],
  ["a/b", "letters and digits"],
  ["<b>bold</b>", "letters and digits"],
  ["a\u202Eb", "letters and digits"],
  ["ﷺﷺ", "letters and digits"],
  ["🌊🌊", "letters and digits"],
  ["Ωmega", "one script"],
  ["аdmin", "one script"],
  ["ꓮꓓꓟꓲꓠ", "not in common use"],
  ["sᴜpport", "not in common use"],
  ["al\u0338der", "not in common use"],
  ["e\u0301\u0301va", "the same mark twice"],
  [`a${"\u0300\u0301\u0302\u0303\u0304"}b`, "more than four marks"],
  ["alder\uFE0F", "invisible"],
  ["al\u034Fder", "invisible"],
  ["xy\u3164", "invisible"],
  ["alder\u0000", "control characters"],
  ["alder\uD800", "broken character"],
  [7, "must be text"],
])("the username %j is refused", (username, words) => {
  const { username: messages, ...others } = faults({ username });
  expect(messages).toHaveLength(1);
  expect(messages?.[0]).toContain("Username");
  expect(messages?.[0]).toContain(words);
  expect(others).toEqual({});
});

test("an empty email is refused with the form that it must have, not with a number of characters", () => {
  expect(faults({ email: "" })).toEqual({
    email: ["Email must be an address such as name@example.org."],
  });
});

test("requires an email's form and a password's length, of any characters", () => {
  for (const email of [
    "alder",
    "a@b",
    "a b@example.org",
    "@example.org",
    `${"a".repeat(250)}@example.org`,
    5,
  ])
    expect(Object.keys(faults({ email })), String(email)).toEqual(["email"]);
  for (const password of [
    "short",
    "x".repeat(201),
    "x".repeat(5_000_000),
    "broken \uD800 half",
    12345678,
    null,
  ])
    expect(Object.keys(faults({ password }))).toEqual(["password"]);
  for (const password of ["رمز عبور من", "🌊".repeat(8), " ".repeat(8)])
    expect(faults({ password })).toEqual({});
});

test("never repeats a password in a message", () => {
  const secret = "secret\uD800value";
  expect(JSON.stringify(faults({ password: secret }))).not.toContain("secret");
});

test("keeps a username in NFKC, and compares it without case", () => {
  const checked = validate(registrationSchema, { ...good, username: "ＡLDER" });
  expect(checked).toMatchObject({ ok: true, value: { username: "ALDER" } });
  expect(comparisonKey("ＡLDER")).toBe(comparisonKey("alder"));
  expect(comparisonKey("Cafe\u0301")).toBe(comparisonKey("CAF\u00C9"));
});

test("accepts any possible name and password at log-in", () => {
  expect(validate(logInSchema, { username: "two words", password: "x" })).toMatchObject({ ok: true });
  expect(validate(logInSchema, { username: "", password: "" })).toEqual({
    ok: false,
    errors: { username: ["Enter your username."], password: ["Enter your password."] },
  });
});
