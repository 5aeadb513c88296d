import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { runWithRequest } from "../request/current-request.ts";
import { readNotice, signedNotice } from "./notice.ts";

const now = Date.UTC(2026, 2, 1);
const context = { about: "rating alder", reader: { id: 7 }, now };

test("reads a notice that was signed for this page, reader and time", () => {
  const value = signedNotice("saved", context);
  expect(readNotice(value, context)).toBe("saved");
  expect(readNotice(value, { ...context, now: now + 600_000 })).toBe("saved");
  const loggedOut = { ...context, reader: { browser: "7" } };
  expect(readNotice(signedNotice("here", loggedOut), loggedOut)).toBe("here");
});

test("a notice of a form sent by script is shown in its response, and not after a reload", () => {
  const byScript = signedIn(["Next-Action", "7f"]);
  expect(inRequest(["RSC", "1"], () => readNotice(byScript, context))).toBe("saved");
  expect(inRequest(["Accept", "RSC"], () => readNotice(byScript, context))).toBeUndefined();
  const byBrowser = signedIn(["Accept", "text/html"]);
  expect(inRequest([], () => readNotice(byBrowser, context))).toBe("saved");
  expect(inRequest(["rsc", "1"], () => readNotice(byBrowser, context))).toBeUndefined();
});

function signedIn(rawHeaders: string[]): string {
  return inRequest(rawHeaders, () => signedNotice("saved", context));
}

function inRequest<T>(rawHeaders: string[], work: () => T): T {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = rawHeaders;
  const response = new ServerResponse(request);
  return runWithRequest({ id: "1", clientAddress: "192.0.2.1", locale: "en", response }, work);
}

test("reads no notice that is unsigned, or signed for another page, reader or time", () => {
  const value = signedNotice("saved", context);
  const others = [
    { ...context, about: "rating birch" },
    { ...context, reader: { id: 8 } },
    { ...context, reader: { browser: "7" } },
    { ...context, reader: null },
    { ...context, now: now + 600_001 },
    { ...context, now: now - 600_001 },
  ];
  expect(others.map((other) => readNotice(value, other))).toEqual(others.map(() => undefined));
  const withoutReader = { ...context, reader: null };
  expect(readNotice(signedNotice("saved", withoutReader), withoutReader)).toBeUndefined();
  const forged = [
    "saved",
    `${value}x`,
    value.replace("saved", "held"),
    `saved.${value}`,
    "",
    [value],
    undefined,
  ];
  for (const each of [...forged, "saved.zzz", value.slice(0, -1), `saved.-1.${value.slice(-43)}`])
    expect(readNotice(each, context), String(each)).toBeUndefined();
});
