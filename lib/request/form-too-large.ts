/**
 * The pages for forms that are too large to be received, or to be shown again.
 * Only a browser without JavaScript sends one: scripts check a form before they send it.
 */
import { bodyMaximumBytes } from "../http/json-body.ts";
import type { Problem } from "../http/problem.ts";
import type { Reply } from "../http/reply.ts";
import { formatter, translator } from "../i18n/index.ts";
import { uploadMaximumBytes } from "../media/bounds.ts";
import { contentMaximum } from "../posts/lengths.ts";
import { escapeMarkup } from "../text/escape-markup.ts";
import { withLineFeeds } from "../text/line-feeds.ts";
import { barePage } from "./bare-page.ts";
import { isFromScript } from "./current-request.ts";
import { replaceAnswer } from "./replace-answer.ts";

/** The longest escaped text that a page gives back, in characters. */
const keptMaximum = 2 * bodyMaximumBytes;

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
 * Answers the form being handled with the 413 and the form's text.
 * For a text that is too long for the form's page, which has it several times. Not for a form that a script sent.
 */
export function answerTooLargeForm(sentText: string): void {
  if (isFromScript()) return;
  const t = translator("writing");
  const text = withLineFeeds(sentText);
  const escaped = escapeMarkup(text);
  const isKept = escaped.length <= keptMaximum;
  const page = pageOf({
    title: t("tooLarge.title"),
    reason: t("tooLarge.length", { length: text.length, maximum: contentMaximum }),
    help: isKept ? t("tooLarge.kept") : t("tooLarge.help"),
    escapedText: isKept ? escaped : undefined,
  });
  replaceAnswer(tooLarge, page.body);
}

/**
 * The 413 of an unread text as a page in the reader's language.
 * `sentBytes` is undefined when the size is not known.
 */
export function tooLargeFormPage(sentBytes: number | undefined): Reply {
  const t = translator("writing");
  const megabytes = megabytesText(bodyMaximumBytes);
  const sent = sentBytes === undefined ? t("tooLarge.moreThan", { megabytes }) : megabytesText(sentBytes);
  return pageOf({
    title: t("tooLarge.title"),
    reason: t("tooLarge.reason", { sent, maximum: contentMaximum, megabytes }),
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

/** As "1.3 MB", rounded up: more than a maximum does not look the same. */
function megabytesText(bytes: number): string {
  const megabytes = Math.ceil((bytes / 1024 / 1024) * 10) / 10;
  return formatter().number(megabytes, { style: "unit", unit: "megabyte" });
}

interface TooLargePage {
  title: string;
  reason: string;
  help: string;
  escapedText?: string | undefined;
}

function pageOf({ title, reason, help, escapedText }: TooLargePage): Reply {
  // A browser leaves out a line break at the beginning of a text area.
  const field =
    escapedText === undefined
      ? ""
      : `<textarea readonly rows="20" cols="70" dir="auto" aria-label="${title}">\n${escapedText}</textarea>`;
  return barePage(413, title, `<p>${reason}</p><p>${help}</p>${field}`);
}
