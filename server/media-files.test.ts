import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createAppServer } from "../testing/app-server.ts";
import { temporaryFolder } from "../testing/database.ts";
import { connectRaw } from "../testing/raw-http.ts";

const name = "0123456789abcdefghijklmno";

/** A server of a folder with one image, a neighbour, and a link out of the folder. */
async function start() {
  const folder = join(temporaryFolder(), "media");
  mkdirSync(folder);
  const image = Buffer.alloc(300_000, "pixels");
  writeFileSync(join(folder, `${name}-480x270.webp`), image);
  writeFileSync(join(folder, `${name}-480x270.avif`), "avif");
  writeFileSync(join(folder, "notes.txt"), "private");
  writeFileSync(join(folder, "../weir.db"), "private");
  symlinkSync("../weir.db", join(folder, `${name}-1x1.webp`));
  const server = createAppServer({
    mediaFolder: folder,
    handle: async (_, response) => {
      response.writeHead(404).end("of the framework");
    },
  });
  const { port } = await server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.server.close());
  return { origin: `http://127.0.0.1:${port}`, port, image };
}

test("serves an image's files for any cache to keep, as nothing but images", async () => {
  const { origin, image } = await start();
  const webp = await fetch(`${origin}/media/${name}-480x270.webp`);
  expect(webp.status).toBe(200);
  expect(Object.fromEntries(webp.headers)).toMatchObject({
    "content-type": "image/webp",
    "content-length": "300000",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringMatching(/^default-src 'none'.*; sandbox$/),
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(Buffer.from(await webp.arrayBuffer()).equals(image)).toBe(true);
  const avif = await fetch(`${origin}/media/${name}-480x270.avif?x`);
  expect([avif.headers.get("content-type"), await avif.text()]).toEqual(["image/avif", "avif"]);
});

test("answers a HEAD without a body, and no other method", async () => {
  const { origin } = await start();
  const head = await fetch(`${origin}/media/${name}-480x270.webp`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "300000", ""]);
  const post = await fetch(`${origin}/media/${name}-480x270.webp`, { method: "POST", body: "x" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test.each([
  `/media/${name}-960x540.webp`,
  `/media/${name}-1x1.webp`,
  "/media/notes.txt",
  "/media/",
  "/media/../weir.db",
  "/media/..%2fweir.db",
  "/media/%2e%2e/weir.db",
  `/media/x/../${name}-480x270.webp`,
  `/media/${name}-480x270.webp%00`,
  `/media//${name}-480x270.webp`,
])("answers %s with a 404", async (path) => {
  const { port } = await start();
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  const answer = await (await connectRaw(port, request)).closed();
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(answer).not.toMatch(/private|of the framework/);
});
