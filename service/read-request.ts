/** Checks a request, as it comes out of `JSON.parse`, against its schema. */
import { type Request, requestSchema } from "./messages.ts";

/** The request, or what is wrong with it in words. */
export function readRequest(value: unknown): Request | string {
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
