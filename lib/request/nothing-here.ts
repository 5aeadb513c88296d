/** The 404 of a path without a page. */
import type { Problem } from "../http/problem.ts";
import { translator } from "../i18n/index.ts";

export const nothingHere: Problem = { status: 404, detail: () => translator("problems")("nothingHere") };
