/** Checks a request, as it comes out of `JSON.parse`, against its schema. */
import type { FieldErrors } from "../lib/validation.ts";
import { combinationFault, type Request, requestSchema, type Verb } from "./messages.ts";

/**
 * The faults of a request.
 * By field, under `form` for the request as a whole, and in one text.
 */
export interface RequestFault {
  errors: FieldErrors;
  error: string;
}

/** With `verb`, that of an address, the request may only repeat it. */
export function readRequest(value: unknown, verb?: Verb): Request | RequestFault {
  // The schema would drop it without an error.
  if (Object.hasOwn(Object(Object(value).fields), "__proto__"))
    return faultOf([{ path: ["fields"], message: '"__proto__" cannot be the name of a field' }]);
  const checked = requestSchema.safeParse(value);
  if (!checked.success) return faultOf(checked.error.issues);
  const request = checked.data;
  if (verb !== undefined && request.verb !== verb) {
    if (Object.hasOwn(Object(value), "verb"))
      return faultOf([{ path: ["verb"], message: `must be ${verb}, as in the address, or be left out` }]);
    request.verb = verb;
  }
  const fault = combinationFault(request);
  return fault ? faultOf([fault]) : request;
}

export function faultOf(issues: readonly { path: PropertyKey[]; message: string }[]): RequestFault {
  const errors: FieldErrors = {};
  for (const { path, message } of issues) {
    const field = String(path[0] ?? "form");
    errors[field] = [...(errors[field] ?? []), message];
  }
  const texts = issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : `a request ${message}`,
  );
  return { errors, error: texts.join("; ") };
}

/** The id of an invalid request, to answer it with, when the id is valid. */
export function idIn(value: unknown): Request["id"] {
  return requestSchema.shape.id.safeParse(Object(value).id).data;
}
