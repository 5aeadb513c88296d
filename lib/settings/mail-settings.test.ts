import { expect, test } from "vitest";
import { parseSettings, SettingsError } from "./env.ts";
import { senderFrom, smtpServerFrom } from "./mail-settings.ts";

test.each([
  ["smtp://localhost:1025", { host: "localhost", port: 1025, isSecure: false, credentials: undefined }],
  [
    "smtps://me%40example.org:p%3Aw%2F@mail.example.org",
    {
      host: "mail.example.org",
      port: undefined,
      isSecure: true,
      credentials: { user: "me@example.org", password: "p:w/" },
    },
  ],
  ["smtp://[::1]:25/", { host: "::1", port: 25, isSecure: false, credentials: undefined }],
])("reads the mail server %s", (text, server) => {
  expect(smtpServerFrom(text)).toEqual(server);
});

test.each([
  "mail.example.org",
  "http://mail.example.org",
  "smtp://",
  "smtp://mail.example.org:0",
  "smtp://user@mail.example.org",
  "smtp://a:%zz@mail.example.org",
  // Options in the address could switch the check of certificates off.
  "smtps://mail.example.org?tls.rejectUnauthorized=false",
  "smtp://mail.example.org/path",
])("refuses the mail server %s", (text) => {
  expect(smtpServerFrom(text)).toBeUndefined();
});

test.each([
  ["blog@example.org", { name: "", address: "blog@example.org" }],
  ["The Blog <blog@example.org>", { name: "The Blog", address: "blog@example.org" }],
  ['"آب, and more" <blog@example.org>', { name: "آب, and more", address: "blog@example.org" }],
])("reads the sender %s", (text, sender) => {
  expect(senderFrom(text)).toEqual(sender);
});

test.each([
  "blog",
  "a@example.org, b@example.org",
  "Blog <a@example.org> <b@example.org>",
  "Blog\r\nBcc: x@example.org <a@example.org>",
  "<>",
])("refuses the sender %j", (text) => {
  expect(senderFrom(text)).toBeUndefined();
});

test("needs both settings or neither, and never shows the address with the password", () => {
  const MAIL_URL = "smtp://weir:hush@mail.example.org";
  const faultOf = (environment: Record<string, string>) => {
    try {
      parseSettings(environment);
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
    }
    return undefined;
  };
  expect(faultOf({ MAIL_URL, MAIL_FROM: "blog@example.org" })).toBeUndefined();
  expect(faultOf({ MAIL_URL })).toBe("Bad setting. MAIL_FROM: must be set together with MAIL_URL");
  expect(faultOf({ MAIL_FROM: "blog@example.org" })).toContain(
    "MAIL_URL: must be set together with MAIL_FROM",
  );
  expect(faultOf({ MAIL_URL: `${MAIL_URL}?pool=true`, MAIL_FROM: "x" })).not.toMatch(/hush/);
});
