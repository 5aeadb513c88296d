/** Compressed bodies, in an encoding that the client accepts. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

const encodings = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof encodings)[number];

/** A shorter body is not worth compressing. */
const minimumBytes = 1_024;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
/**
 * For a page of one reader: a third of the time for an eighth more bytes.
 * Of a copy for all readers both are spent once.
 */
const qualities = { copy: { br: 5, gzip: 6 }, one: { br: 3, gzip: 4 } };

/** Resolves to null for a body that is better sent as it is. */
export async function compress(
  body: Buffer,
  encoding: Encoding,
  readers: keyof typeof qualities,
): Promise<Buffer | null> {
  if (encoding === "identity" || body.length < minimumBytes) return null;
  const quality = qualities[readers];
  if (encoding === "gzip") return toGzip(body, { level: quality.gzip });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality.br,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return toBrotli(body, { params });
}

/** Encodings by the header, which has few values. */
const knownEncodings = new LRUCache<string, Encoding>({ max: 200 });
/** A longer header is not kept. */
const keptHeaderMaximum = 200;

/** The encoding for an Accept-Encoding header. */
export function encodingFor(accepted = "identity"): Encoding {
  const known = knownEncodings.get(accepted);
  if (known) return known;
  const acceptable = new Negotiator({ headers: { "accept-encoding": accepted } }).encodings([...encodings]);
  const encoding = encodings.find((each) => acceptable.includes(each)) ?? "identity";
  if (accepted.length <= keptHeaderMaximum) knownEncodings.set(accepted, encoding);
  return encoding;
}
