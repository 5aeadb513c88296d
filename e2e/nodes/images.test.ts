/** The images of several nodes: one folder, which each of them serves. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Cluster, startCluster } from "../../scripts/cluster/cluster.ts";
import { picture } from "../picture.ts";
import { type Blog, newBlog } from "./blog.ts";

let cluster: Cluster;
let blog: Blog;

beforeAll(async () => {
  cluster = await startCluster();
  blog = await newBlog(cluster.settings, 1);
});
afterAll(async () => {
  await blog?.close();
  await cluster?.stop();
});

/** Uploads an image at a node; resolves to its address. */
async function upload(origin: string): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([Uint8Array.from(await picture())], { type: "image/jpeg" }), "lake.jpg");
  form.set("alt", "A lake");
  const Cookie = blog.raters[0]?.cookie ?? "";
  const answer = await fetch(`${origin}/api/media`, { method: "POST", headers: { Cookie }, body: form });
  expect(answer.status).toBe(201);
  const { address }: { address: string } = await answer.json();
  return address;
}

async function bytesAt(url: string) {
  const answer = await fetch(url);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

test("an image uploaded at one node is served byte for byte by the other, and through nginx", async () => {
  const [one = "", other = ""] = cluster.nodes.map(({ origin }) => origin);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const address = await upload(from);
    const saved = await bytesAt(from + address);
    expect([saved.status, saved.bytes.length > 100]).toEqual([200, true]);
    for (const origin of [to, cluster.origin]) expect(await bytesAt(origin + address)).toEqual(saved);
  }
});

test("a node with a folder of its own does not start, and the log names the setting", async () => {
  const [node] = cluster.nodes;
  const own = mkdtempSync(join(tmpdir(), "weir-media-"));
  onTestFinished(() => rmSync(own, { recursive: true }));
  await node?.terminate();
  await expect(node?.start({ MEDIA_FOLDER: own })).rejects.toThrow(
    `${own} is not the folder of images that this database has, so the server ends: set MEDIA_FOLDER`,
  );
  await node?.start();
});
