/**
 * The page for a form that is too large to be received.
 * Only a browser without JavaScript sends one: scripts check a text before they send it.
 */
import { bodyMaximumBytes } from "../lib/http/json-body.ts";
import type { Problem } from "../lib/http/problem.ts";
import type { Reply } from "../lib/http/reply.ts";
import { formatter, translator } from "../lib/i18n/index.ts";
import { directionOf } from "../lib/i18n/locale.ts";
import { contentMaximum } from "../lib/posts/lengths.ts";
import { currentLocale } from "../lib/request/current-request.ts";

/** The 413 as a page in the reader's language. */
export function tooLargePage({ status }: Problem): Reply {
  const t = translator("writing");
  const locale = currentLocale();
  const megabytes = formatter().number(bodyMaximumBytes / 1024 / 1024, {
    style: "unit",
    unit: "megabyte",
  });
  const body = `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${t("tooLarge.title")}</title></head>
<body><h1>${t("tooLarge.title")}</h1><p>${t("tooLarge.reason", { maximum: contentMaximum, megabytes })}</p><p>${t("tooLarge.help")}</p></body>
</html>
`;
  return {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
    body,
  };
}
