/**
 * The pages for forms that are too large to be received, or to be shown again.
 * Only a browser without JavaScript sends one: scripts check a form before they send it.
 */
import { bodyMaximumBytes } from "../http/json-body.ts";
import type { Problem } from "../http/problem.ts";
import type { Reply } from "../http/reply.ts";
import { formatter, translator } from "../i18n/index.ts";
import { directionOf } from "../i18n/locale.ts";
import { uploadMaximumBytes } from "../media/bounds.ts";
import { contentMaximum } from "../posts/lengths.ts";
import { currentLocale, unsentResponse } from "./current-request.ts";
import { replaceAnswer } from "./replace-answer.ts";

/** The problem with a body of more than this many bytes. */
export function tooLargeFor(maximumBytes: number): Problem {
  const maximum = Math.floor(maximumBytes / 1024 / 1024);
  return { status: 413, detail: () => translator("problems")("tooLarge", { maximum }) };
}

/**
 * The 413 of a body above the usual maximum.
 * Pasted ratings have a higher one.
 */
export const tooLarge = tooLargeFor(bodyMaximumBytes);

/**
 * Answers the form being handled with the 413, unless a script sent it.
 * For a text that is too long for a page to give back: the browser has it in the page before.
 */
export function answerTooLargeForm(): void {
  if (unsentResponse()?.req.headers["next-action"] === undefined)
    replaceAnswer(tooLarge, tooLargeFormPage().body);
}

/** The 413 of a text as a page in the reader's language. */
export function tooLargeFormPage(): Reply {
  const t = translator("writing");
  const megabytes = megabytesText(bodyMaximumBytes);
  return pageOf({
    title: t("tooLarge.title"),
    reason: t("tooLarge.reason", { maximum: contentMaximum, megabytes }),
    help: t("tooLarge.help"),
  });
}

/** The 413 of an image as a page in the reader's language. */
export function tooLargeImagePage(): Reply {
  const t = translator("media");
  const megabytes = megabytesText(uploadMaximumBytes);
  return pageOf({
    title: t("tooLarge.title"),
    reason: t("tooLarge.reason", { megabytes }),
    help: t("tooLarge.help"),
  });
}

function megabytesText(bytes: number): string {
  return formatter().number(bytes / 1024 / 1024, { style: "unit", unit: "megabyte" });
}

function pageOf({ title, reason, help }: Record<"title" | "reason" | "help", string>): Reply {
  const locale = currentLocale();
  const body = `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body><h1>${title}</h1><p>${reason}</p><p>${help}</p></body>
</html>
`;
  return {
    status: 413,
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
    body,
  };
}
