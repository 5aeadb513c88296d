/** The texts of mails, plain and as HTML, in both directions of writing. */
import type { MailKind } from "../../db/index.ts";
import { type Translator, translator } from "../i18n/index.ts";
import { directionOf, type Locale } from "../i18n/locale.ts";
import { postPath, windowPath } from "../paths.ts";
import { escapeMarkup } from "../text/escape-markup.ts";
import { mailData } from "./kinds.ts";

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** A paragraph of words, or a link on a line of its own. */
type Part = string | { label: string; url: string };

/** The link of a mail, which is made when the mail is sent. */
export interface MailLink {
  url: string;
  /** The name of the account that has the address, and that the link is for. */
  owner?: string;
}

interface MailContent {
  kind: MailKind;
  /** As JSON. */
  data: string;
  locale: Locale;
  siteName: string;
  /** Set for a kind with links to the site. */
  siteUrl?: string | undefined;
  /** Set for a kind with a link of its own. */
  link?: MailLink | undefined;
  /** Set for a kind that can be turned off: the page that does so. */
  unsubscribeUrl?: string | undefined;
}

/** Throws when the data are not those of the kind. */
export function composeMail(content: MailContent): MailText {
  const { kind, locale, siteName, link, siteUrl = "", unsubscribeUrl } = content;
  const t = translator("mail", locale);
  const site = isolated(siteName);
  const values: unknown = JSON.parse(content.data);
  /** A mail to the owner of an account. */
  const toOwner = (username: string, subject: string, parts: readonly Part[]) =>
    written(locale, subject, [
      t("hello", { name: isolated(username) }),
      ...parts,
      ...stopLink(t, unsubscribeUrl),
      t("sentBy", { site }),
    ]);
  /**
   * A mail to an address that anyone can have entered.
   * Without the username, which could be a stranger's advertisement.
   */
  const toConfirm = (text: "confirmEmail" | "confirmRegistration" | "newEmail") =>
    written(locale, t(`${text}.subject`, { site: siteName }), [
      t(`${text}.requested`, { site }),
      { label: t(`${text}.open`), url: linkOf(link).url },
      t(`${text}.notYou`),
      t("sentToConfirm", { site }),
    ]);
  switch (kind) {
    case "password-reset": {
      const { owner, url } = linkOf(link);
      if (owner === undefined) throw new Error("the account is missing");
      return toOwner(owner, t("passwordReset.subject", { site: siteName }), [
        t("passwordReset.requested", { site, name: isolated(owner) }),
        { label: t("passwordReset.open"), url },
        t("passwordReset.valid"),
        t("passwordReset.notYou"),
      ]);
    }
    case "confirm-email":
      return toConfirm("confirmEmail");
    case "confirm-registration":
    case "confirm-new-email": {
      const { owner, url } = linkOf(link);
      if (owner === undefined)
        return toConfirm(kind === "confirm-registration" ? "confirmRegistration" : "newEmail");
      return toOwner(owner, t("hasAccount.subject", { site: siteName }), [
        t("hasAccount.requested", { site, name: isolated(owner) }),
        { label: t("hasAccount.open"), url },
        t("hasAccount.notYou"),
      ]);
    }
    case "email-change": {
      const { username } = mailData[kind].parse(values);
      return toOwner(username, t("emailChange.subject", { site: siteName }), [
        t("emailChange.requested", { site, name: isolated(username) }),
        t("emailChange.notYou"),
        { label: t("emailChange.open"), url: `${siteUrl}/login/forgot` },
      ]);
    }
    case "email-changed": {
      const { username } = mailData[kind].parse(values);
      return toOwner(username, t("emailChanged.subject", { site: siteName }), [
        t("emailChanged.done", { site, name: isolated(username) }),
        ...(link
          ? [t("emailChanged.restore"), { label: t("emailChanged.open"), url: link.url }]
          : [t("emailChanged.notYou", { site })]),
      ]);
    }
    case "flood": {
      const { username, title, ratings, until, mayDecide, url, settingsUrl } = mailData[kind].parse(values);
      return toOwner(username, t("flood.subject", { title }), [
        t("flood.happened", { title: isolated(title), count: ratings }),
        t(mayDecide ? "flood.nextOwn" : "flood.next", { until: new Date(until) }),
        { label: t("flood.open"), url },
        { label: t("settings"), url: settingsUrl },
      ]);
    }
    case "decisions": {
      const { username, decisions, more } = mailData[kind].parse(values);
      const count = decisions.length + more;
      const [first] = decisions;
      return toOwner(username, t("decisions.subject", { count, title: first?.title ?? "" }), [
        t("decisions.happened", { count }),
        ...decisions.map(({ title, status, slug }) => ({
          label: t(`decisions.${status}`, { title: isolated(title) }),
          url: `${siteUrl}${postPath(slug)}`,
        })),
        ...(more > 0 ? [t("decisions.more", { count: more })] : []),
        { label: t("settings"), url: `${siteUrl}/account#mail` },
      ]);
    }
    case "undecided-floods": {
      const { username, floods, hasMore } = mailData[kind].parse(values);
      const count = floods.length;
      return toOwner(
        username,
        t("undecided.subject", { site: siteName, count, title: floods[0]?.title ?? "" }),
        [
          t("undecided.happened"),
          ...floods.map(({ title, ratings, until, slug, number }) => ({
            label:
              until === null
                ? t("undecided.review", { title: isolated(title) })
                : t("undecided.flood", { title: isolated(title), count: ratings, until: new Date(until) }),
            url: `${siteUrl}${windowPath(slug, number)}`,
          })),
          { label: t(hasMore ? "undecided.more" : "undecided.all"), url: `${siteUrl}/admin` },
          { label: t("settings"), url: `${siteUrl}/account#mail` },
        ],
      );
    }
    case "confirm-subscription":
      return written(locale, t("confirmSubscription.subject", { site: siteName }), [
        t("confirmSubscription.requested", { site }),
        { label: t("confirmSubscription.open"), url: linkOf(link).url },
        t("confirmSubscription.notYou"),
      ]);
    case "new-posts": {
      const { posts, more } = mailData[kind].parse(values);
      const title = posts[0]?.title ?? "";
      return written(locale, t("newPosts.subject", { site: siteName, title, count: posts.length + more }), [
        t("newPosts.published", { site, count: posts.length + more }),
        ...posts.map((post) => ({
          label: t("newPosts.post", { title: isolated(post.title), author: isolated(post.author) }),
          url: `${siteUrl}${postPath(post.slug)}`,
        })),
        ...(more > 0 ? [{ label: t("newPosts.more", { count: more }), url: `${siteUrl}/` }] : []),
        ...stopLink(t, unsubscribeUrl),
        t("sentToSubscriber", { site }),
      ]);
    }
    case "test": {
      const { username } = mailData[kind].parse(values);
      return toOwner(username, t("test.subject", { site: siteName }), [t("test.arrived", { site })]);
    }
    case "password-changed": {
      const { username, by } = mailData[kind].parse(values);
      return toOwner(username, t("passwordChanged.subject", { site: siteName }), [
        t(`passwordChanged.by.${by}`, { site }),
        t(`passwordChanged.tokens.${by === "owner" ? "kept" : "revoked"}`),
        t("passwordChanged.notYou"),
      ]);
    }
  }
}

function linkOf(link: MailLink | undefined): MailLink {
  if (!link) throw new Error("the link is missing");
  return link;
}

/** The link at a mail's foot by which its recipient gets no more. */
function stopLink(t: Translator<"mail">, url: string | undefined): Part[] {
  return url === undefined ? [] : [{ label: t("stop"), url }];
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
