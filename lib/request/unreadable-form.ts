/**
 * The 400 for a form whose fields are not in React's format.
 * No page of the site sends one.
 */
import type { Problem } from "../http/problem.ts";
import { translator } from "../i18n/index.ts";
import { replaceAnswer } from "./replace-answer.ts";

interface FormRequest {
  method: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** The answer to a form that arrived in part. */
export const incompleteForm: Problem = {
  status: 400,
  detail: () => translator("problems")("incompleteForm"),
};

/**
 * Sends the 400 when Next.js could not decode a form; false otherwise.
 * Next.js decodes the arguments before an action begins, so such an error was thrown by code of Next.js.
 */
export function answerUnreadableForm(error: unknown): boolean {
  return wasThrownByNext(error) && replaceAnswer(incompleteForm);
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
