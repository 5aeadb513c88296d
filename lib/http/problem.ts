/** Errors as responses: RFC 9457 for programs, plain text for browsers. */
import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { FieldErrors } from "../validation.ts";

export interface Problem {
  status: number;
  /**
   * The fault and its remedy, as a sentence.
   * As a function, in the language of the request that is answered: English for the API.
   */
  detail: string | (() => string);
  /** For bad input: by field, each a sentence. */
  errors?: FieldErrors;
  headers?: Record<string, string>;
}

/** The schema of a problem document. */
export const problemAnswer = z.object({
  type: z.literal("about:blank"),
  title: z.string().describe("The status by its name."),
  status: z.int().min(400).max(599),
  detail: z.string().describe("The fault and its remedy, as a sentence."),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("For bad input: by the field's name, its faults, each a sentence."),
});

/** The response with a problem document. */
export function problemResponse(problem: Problem): Response {
  return new Response(problemJson(problem), {
    status: problem.status,
    headers: {
      ...problem.headers,
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
    },
  });
}

/** Whether a path belongs to the JSON API. */
export function isApi(path: string): boolean {
  return /^\/api(?:[/?]|$)/.test(path);
}

/** A problem document, titled with the name of its status. */
export function problemJson({ status, detail, errors }: Problem): string {
  const type = "about:blank";
  const title = STATUS_CODES[status] ?? "Error";
  const answer: z.infer<typeof problemAnswer> = { type, title, status, detail: textOf(detail), errors };
  return JSON.stringify(answer);
}

/** A problem in plain text. */
export function problemText({ detail }: Problem): string {
  return `${textOf(detail)}\n`;
}

function textOf(detail: Problem["detail"]): string {
  return typeof detail === "string" ? detail : detail();
}
