/** The 503 that programs and readers get while the database is out of reach. */

import type { Problem } from "../http/problem.ts";
import { translator } from "../i18n/index.ts";
import { throttledLog } from "../logging/throttled-log.ts";
import { barePage } from "./bare-page.ts";
import { replaceAnswer } from "./replace-answer.ts";

function outage(): Problem {
  const detail = translator("errors", "en")("unavailableHelp");
  return { status: 503, detail, headers: { "Retry-After": "5" } };
}

/** The page, without the app's frame, which needs the database. */
function page(): string {
  const t = translator("errors");
  return barePage(503, t("unavailable"), `<p>${t("unavailableHelp")}</p>`).body;
}

const report = throttledLog("the database cannot be used");

/** The problem for an API call that failed with this error; throttles its log. */
export function databaseOutage(error: unknown): Problem {
  report(error);
  return outage();
}

/**
 * Answers the current request with a 503 in place of the framework's error.
 * The error is logged, throttled. False when the head of another answer was already sent.
 */
export function answerOutage(error: unknown): boolean {
  const isAnswered = replaceAnswer(outage(), page());
  if (isAnswered) report(error);
  return isAnswered;
}
