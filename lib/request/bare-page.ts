import type { Reply } from "../http/reply.ts";
import { directionOf } from "../i18n/locale.ts";
import { currentLocale } from "./current-request.ts";

/**
 * A page made without the framework, in the reader's language.
 * The title and the content are HTML.
 */
export function barePage(status: number, title: string, content: string): Reply {
  const locale = currentLocale();
  const body = `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
  return {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
    body,
  };
}
