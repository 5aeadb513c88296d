/**
 * Serves the files of images, before the framework.
 * Their names are unguessable and their contents never change, so any cache may keep them for good.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { errorCode } from "../db/error-code.ts";
import type { Problem } from "../lib/http/problem.ts";
import { bareReply, send } from "../lib/http/reply.ts";
import { translator } from "../lib/i18n/index.ts";
import { fileName, mediaPath } from "../lib/media/address.ts";
import { securityHeaders } from "./security-headers.ts";

const types = new Map([
  ["webp", "image/webp"],
  ["avif", "image/avif"],
  ["png", "image/png"],
]);

const headers = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": `${securityHeaders["Content-Security-Policy"]}; sandbox`,
  // Readers of the feed show the images on pages of their own.
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const missing: Problem = { status: 404, detail: () => translator("problems")("noImage") };

/** Answers a GET or HEAD of a path of images; a 404 where there is none. */
export async function sendMediaFile(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, path }: { folder: string; path: string },
): Promise<void> {
  const name = path.slice(mediaPath.length);
  const type = types.get(fileName.exec(name)?.[2] ?? "");
  // The pattern has no slash and no dot but the last, so the name leads nowhere else.
  const file = type === undefined ? undefined : await openFile(join(folder, name));
  if (type === undefined || file === undefined) return send(response, bareReply(missing));
  try {
    const { size } = await file.stat();
    response.writeHead(200, { ...headers, "Content-Type": type, "Content-Length": size });
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    await pipeline(file.createReadStream({ autoClose: false }), response);
  } catch (error) {
    // The client has broken off.
    if (errorCode(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  } finally {
    await file.close();
  }
}

async function openFile(path: string) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (["ENOENT", "ELOOP"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}
