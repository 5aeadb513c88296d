/** Forms with a file in the JSON API. */
import { problemResponse } from "../http/problem.ts";

/**
 * The form that was sent, or the response to another body.
 * `fields` names its fields for the client.
 */
export async function sentForm(request: Request, fields: string): Promise<FormData | Response> {
  if (!request.headers.get("content-type")?.toLowerCase().startsWith("multipart/form-data"))
    return problemResponse({ status: 415, detail: `Send a form: multipart/form-data with ${fields}.` });
  const form = await request.formData().catch(() => undefined);
  return form ?? problemResponse({ status: 400, detail: "The form is malformed or incomplete." });
}
