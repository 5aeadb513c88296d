/**
 * Checks what was asked, as it comes out of `JSON.parse`. The schema says what a request is; most requests are found to be
 * one by a look at their parts, in a tenth of the time that the schema takes.
 */
import { longestWaitMs, type Request, requestSchema, verbs } from "./messages.ts";
import { longestName } from "./schema-parts.ts";

/** The request, or what is wrong with it in words. */
export function readRequest(value: unknown): Request | string {
  if (isPlainRequest(value))
    return value.verb === undefined ? { verb: "consume", ...value } : { ...value, verb: value.verb };
  // The schema would leave it out without a word.
  if (Object.hasOwn(Object(Object(value).fields), "__proto__"))
    return 'fields: "__proto__" cannot be the name of a field';
  const checked = requestSchema.safeParse(value);
  if (checked.success) return checked.data;
  return checked.error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : `a request ${message}`))
    .join("; ");
}

/** The id of what is no good request, to answer it with, when that much is good. */
export function idIn(value: unknown): Request["id"] {
  return requestSchema.shape.id.safeParse(Object(value).id).data;
}

type PlainRequest = Omit<Request, "verb"> & { verb?: Request["verb"] };

const knownVerbs: ReadonlySet<unknown> = new Set(verbs);

/** Never true of what the schema refuses. What is unusual is left to the schema: then this is false. */
function isPlainRequest(value: unknown): value is PlainRequest {
  if (!isPlainObject(value)) return false;
  for (const name in value) if (!isPlainPart(name, value[name])) return false;
  return true;
}

function isPlainPart(name: string, part: unknown): boolean {
  switch (name) {
    case "id":
      return isText(part, 1, 128) || Number.isSafeInteger(part);
    case "verb":
      return knownVerbs.has(part);
    case "policy":
      return isText(part, 1, longestName);
    case "key":
      return isText(part, 0, 1_000);
    case "cost":
      return Number.isFinite(part) && Number(part) > 0;
    case "maxWaitMs":
      return Number.isFinite(part) && Number(part) >= 0 && Number(part) <= longestWaitMs;
    case "fields":
      return areFields(part);
    default:
      return false;
  }
}

function areFields(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  for (const name in value) {
    const part = value[name];
    const isValue = isText(part, 0, 1_000) || typeof part === "boolean" || Number.isFinite(part);
    if (!isValue || !isText(name, 1, longestName) || name === "__proto__") return false;
  }
  return true;
}

function isText(value: unknown, least: number, most: number): boolean {
  return typeof value === "string" && value.length >= least && value.length <= most;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
