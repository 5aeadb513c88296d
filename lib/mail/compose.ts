/** The texts of mails, plain and as HTML, in both directions of writing. */
import type { MailKind } from "../../db/index.ts";
import { escapeMarkup } from "../escape-markup.ts";
import { translator } from "../i18n/index.ts";
import { directionOf, type Locale } from "../i18n/locale.ts";
import { mailData } from "./outbox.ts";

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** A paragraph of words, or a link on a line of its own. */
type Part = string | { label: string; url: string };

export interface MailContent {
  kind: MailKind;
  /** As JSON. */
  data: string;
  locale: Locale;
  siteName: string;
  /** Set for a kind with a link. */
  link?: { username?: string; url: string } | undefined;
}

/** Throws when the data are not those of the kind. */
export function composeMail({ kind, data, locale, siteName, link }: MailContent): MailText {
  const t = translator("mail", locale);
  const site = isolated(siteName);
  const values: unknown = JSON.parse(data);
  switch (kind) {
    case "password-reset": {
      if (link?.username === undefined) throw new Error("the link is missing");
      return written(locale, t("passwordReset.subject", { site: siteName }), [
        t("hello", { name: isolated(link.username) }),
        t("passwordReset.requested", { site, name: isolated(link.username) }),
        { label: t("passwordReset.open"), url: link.url },
        t("passwordReset.valid"),
        t("passwordReset.notYou"),
        t("sentBy", { site }),
      ]);
    }
    case "confirm-floods": {
      if (!link) throw new Error("the link is missing");
      const { username } = mailData[kind].parse(values);
      return written(locale, t("confirmFloods.subject", { site: siteName }), [
        t("hello", { name: isolated(username) }),
        t("confirmFloods.requested", { site }),
        { label: t("confirmFloods.open"), url: link.url },
        t("confirmFloods.notYou"),
        t("sentBy", { site }),
      ]);
    }
    case "flood": {
      const { username, title, ratings, until, url, settingsUrl } = mailData[kind].parse(values);
      return written(locale, t("flood.subject", { title }), [
        t("hello", { name: isolated(username) }),
        t("flood.happened", { title: isolated(title), count: ratings }),
        t("flood.next", { until: new Date(until) }),
        { label: t("flood.open"), url },
        { label: t("flood.settings"), url: settingsUrl },
        t("sentBy", { site }),
      ]);
    }
    case "password-changed": {
      const { username, by } = mailData[kind].parse(values);
      return written(locale, t("passwordChanged.subject", { site: siteName }), [
        t("hello", { name: isolated(username) }),
        t(`passwordChanged.by.${by}`, { site }),
        t("passwordChanged.tokens"),
        t("passwordChanged.notYou"),
        t("sentBy", { site }),
      ]);
    }
  }
}

/** A text on one line that keeps its own direction among words of another. */
function isolated(text: string): string {
  return `\u2068${onOneLine(text)}\u2069`;
}

function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

function written(locale: Locale, title: string, parts: readonly Part[]): MailText {
  const subject = onOneLine(title);
  const dir = directionOf(locale);
  const blocks = parts.map((part) =>
    typeof part === "string"
      ? `<p>${escapeMarkup(part)}</p>`
      : `<p><a href="${escapeMarkup(part.url)}">${escapeMarkup(part.label)}</a></p>\n<p dir="ltr" style="word-break:break-all;color:#555">${escapeMarkup(part.url)}</p>`,
  );
  return {
    subject,
    text: `${parts.map((part) => (typeof part === "string" ? part : `${part.label}\n${part.url}`)).join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="${locale}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(subject)}</title></head>
<body dir="${dir}" style="font-family:sans-serif;font-size:16px;line-height:1.6;max-width:36em">
${blocks.join("\n")}
</body>
</html>
`,
  };
}
