import { expect, test } from "vitest";
import { readJson } from "./json-body.ts";

function post(body: BodyInit | null, type: string | null = "application/json") {
  const request = new Request("http://localhost/", { method: "POST", body, ...{ duplex: "half" } });
  request.headers.delete("content-type");
  if (type !== null) request.headers.set("content-type", type);
  return request;
}

async function statusOf(request: Request, maximumBytes = 100) {
  const body = await readJson(request, maximumBytes);
  return "status" in body ? body.status : 200;
}

test("reads JSON with any spelling of its content type", async () => {
  const value = { score: 5, متن: "سلام" };
  for (const type of [
    "application/json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
  ])
    expect(await readJson(post(JSON.stringify(value), type), 100)).toEqual({ value });
});

test.each([
  null,
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/json; charset=latin1",
  "json",
])("content type %j is a 415", async (type) => expect(await statusOf(post("{}", type))).toBe(415));

test.each(["", "{", "{'a': 1}", '{"score": NaN}', "undefined", '"\n"', "[".repeat(90)])(
  "%j is a 400",
  async (text) => expect(await statusOf(post(text))).toBe(400),
);

test("answers 400 for a missing body and for bytes that are not UTF-8", async () => {
  expect(await statusOf(post(null))).toBe(400);
  expect(await statusOf(post(new Uint8Array([0x22, 0xff, 0x22])))).toBe(400);
});

test("reads a body of exactly the limit, and answers 413 for one byte more", async () => {
  expect(await statusOf(post(`"${"a".repeat(98)}"`))).toBe(200);
  expect(await statusOf(post(`"${"a".repeat(99)}"`))).toBe(413);
});

test("answers 400 for a body that breaks off", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) });
  expect(await statusOf(post(broken))).toBe(400);
});
