/**
 * Collects a page that Next.js writes in parts, and sends it whole.
 * Without the framework's scripts where the page has nothing to hydrate, and compressed here, not by Next.js.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { log } from "../lib/logging/log.ts";
import { currentPage } from "../lib/request/current-request.ts";
import { omitScripts } from "./omit-scripts.ts";

type Part = string | Uint8Array | null | undefined;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const compressors: Record<string, (page: Buffer) => Promise<Buffer>> = {
  // About as slow as gzip, and smaller.
  br: (page) => toBrotli(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (page) => toGzip(page),
};

/**
 * Makes the response collect what is written to it until it ends.
 * To be called before Next.js handles the request. Returns a function that drops what is collected.
 */
export function sendWhole(request: IncomingMessage, response: ServerResponse): () => void {
  const page = currentPage();
  const encoding = new Negotiator(request).encoding([...Object.keys(compressors), "identity"]);
  // So that Next.js does not compress it.
  request.headers["accept-encoding"] = "identity";
  const { write, end, flushHeaders } = response;
  const restore = () => void Object.assign(response, { write, end, flushHeaders });
  const parts: Buffer[] = [];
  const collect = (part: Part) => {
    if (part) parts.push(Buffer.from(part));
  };

  async function finish(): Promise<void> {
    restore();
    const isHtml = String(response.getHeader("content-type")).startsWith("text/html");
    let body: Buffer = Buffer.concat(parts);
    if (!isHtml || response.headersSent) return void response.end(body);
    // The page for a fault is filled by a script.
    const omits = page?.hasNoScripts && response.statusCode < 500;
    if (omits) body = Buffer.from(omitScripts(body.toString(), page.nonce ?? ""));
    const compress = compressors[encoding ?? ""];
    if (compress) {
      body = await compress(body);
      response.setHeader("Content-Encoding", encoding ?? "");
    }
    response.setHeader("Content-Length", body.length);
    response.end(body);
  }

  Object.assign(response, {
    flushHeaders() {},
    write(part: Part, ...rest: unknown[]) {
      collect(part);
      const written = rest.at(-1);
      if (typeof written === "function") process.nextTick(() => written());
      return true;
    },
    end(part: Part) {
      collect(part);
      finish().catch((err: unknown) => {
        log.error({ err }, "a page could not be sent");
        response.destroy();
      });
      return response;
    },
  });
  return restore;
}
