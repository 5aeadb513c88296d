/** The 400 for a form whose fields are not as React writes them: no page of ours sends one. */
import type { Problem } from "./problem.ts";
import { replaceAnswer } from "./replace-answer.ts";

interface FormRequest {
  method: string;
  headers: NodeJS.Dict<string | string[]>;
}

const unreadable: Problem = { status: 400, detail: "The form was not sent whole, or is no form." };

/**
 * Sends the 400 in place of the framework's server error, when an action failed with this error before it began: what
 * was thrown first is code of Next.js, which decodes the arguments. False otherwise.
 */
export function answerUnreadableForm(error: unknown): boolean {
  return wasThrownByNext(error) && replaceAnswer(unreadable);
}

/** Whether a request sends a form as browsers do without JavaScript. */
export function isMultipartPost({ method, headers }: FormRequest): boolean {
  return method === "POST" && /^multipart\/form-data/i.test(String(headers["content-type"]));
}

function wasThrownByNext(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const frames = error.stack?.match(/^\s+at .*\((?:file:\/\/)?\/.*|^\s+at (?:async )?(?:file:\/\/)?\/.*/gm);
  return frames?.[0]?.includes("/next/dist/compiled/next-server/") === true;
}
