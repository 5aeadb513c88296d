import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { boundaryIn } from "../http/multipart.ts";
import { fileIn, MalformedForm } from "./sent-archive.ts";

/** A body in chunks of so many bytes. */
async function* inChunks(body: Buffer, bytes: number) {
  for (let start = 0; start < body.length; start += bytes) yield body.subarray(start, start + bytes);
}

const file = Buffer.concat([Buffer.from("PK\r\n--x--\r\n\r\n\r\n--x\r\n"), Buffer.alloc(5_000, 0xff)]);

async function sent(content: Buffer): Promise<{ type: string; body: Buffer }> {
  const form = new FormData();
  form.set("archive", new File([new Uint8Array(content)], "site.zip"));
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";
  return { type, body: Buffer.from(await request.arrayBuffer()) };
}

test.each([1, 7, 100, 100_000])("a form's file is read in chunks of %i bytes", async (bytes) => {
  for (const content of [file, Buffer.alloc(0)]) {
    const { type, body } = await sent(content);
    const read = await buffer(fileIn(inChunks(body, bytes), boundaryIn(type) ?? expect.fail()));
    expect(read.equals(content)).toBe(true);
  }
});

test("a form that breaks off, or is another one, is malformed", async () => {
  const { type, body } = await sent(file);
  const boundary = boundaryIn(type) ?? expect.fail();
  const texts = [
    "",
    "x".repeat(20_000),
    `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb`,
  ];
  for (const part of [body.subarray(0, -1), body.subarray(0, 60), ...texts.map((text) => Buffer.from(text))])
    await expect(buffer(fileIn(inChunks(part, 100), boundary))).rejects.toThrow(MalformedForm);
  for (const other of [null, "text/plain", "multipart/form-data", "multipart/form-data; boundary="])
    expect(boundaryIn(other)).toBeUndefined();
});
