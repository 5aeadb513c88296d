/** Every kind of mail, in each language, as text and as HTML. */
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import type { MailKind } from "../../db/index.ts";
import { mailKinds } from "../../db/types.ts";
import { directionOf, type Locale, locales } from "../i18n/locale.ts";
import { composeMail } from "./compose.ts";
import type { DataOf } from "./kinds.ts";

/** Names that need no letter of the other language's script. */
const names = {
  en: { site: "Still Water", username: "alder", title: "A walk along the river" },
  fa: { site: "آب آرام", username: "توسکا", title: "گشتی کنار رود" },
} satisfies Record<Locale, object>;

const siteUrl = "https://weir.example";
const account = `${siteUrl}/account#mail`;
const unsubscribeUrl = `${siteUrl}/unsubscribe?list=a&token=b`;
const url = `${siteUrl}/open?token=a&for=b`;

interface Sample<Kind extends MailKind> {
  data: DataOf<Kind>;
  /** The addresses in the mail, in their order. */
  links: string[];
  link?: { url: string; owner?: string };
  unsubscribeUrl?: string;
}

type Samples = { [Kind in MailKind]: Sample<Kind>[] };

function samplesIn(locale: Locale): Samples {
  const { username, title } = names[locale];
  const until = Date.UTC(2026, 2, 15);
  const withLink = { data: {}, link: { url }, links: [url] };
  const ofOwner = { data: {}, link: { url, owner: username }, links: [url] };
  const flood = { username, title, until, url, settingsUrl: account };
  const post = { title, author: username, slug: "a" };
  const held = { title, ratings: 143, until, slug: "a", number: 2 };
  return {
    "password-reset": [ofOwner],
    "confirm-email": [withLink],
    "confirm-registration": [withLink, ofOwner],
    "confirm-new-email": [withLink, ofOwner],
    "email-change": [{ data: { username }, links: [`${siteUrl}/login/forgot`] }],
    "email-changed": [
      { data: { username }, link: { url }, links: [url] },
      { data: { username }, links: [] },
    ],
    flood: [
      {
        data: { ...flood, ratings: 1, mayDecide: false },
        unsubscribeUrl,
        links: [url, account, unsubscribeUrl],
      },
      {
        data: { ...flood, ratings: 143, mayDecide: true },
        unsubscribeUrl,
        links: [url, account, unsubscribeUrl],
      },
    ],
    decisions: [
      {
        data: { username, decisions: [{ title, status: "counted", slug: "a" }], more: 0 },
        unsubscribeUrl,
        links: [`${siteUrl}/posts/a`, account, unsubscribeUrl],
      },
      {
        data: {
          username,
          decisions: [
            { title, status: "counted", slug: "a" },
            { title, status: "excluded", slug: "b" },
          ],
          more: 1,
        },
        unsubscribeUrl,
        links: [`${siteUrl}/posts/a`, `${siteUrl}/posts/b`, account, unsubscribeUrl],
      },
    ],
    "undecided-floods": [
      {
        data: { username, floods: [held], hasMore: false },
        unsubscribeUrl,
        links: [`${siteUrl}/posts/a/activity?before=3#window-2`, `${siteUrl}/admin`, account, unsubscribeUrl],
      },
      {
        data: {
          username,
          floods: [
            { ...held, ratings: 1 },
            { ...held, until: null, slug: "b" },
          ],
          hasMore: true,
        },
        unsubscribeUrl,
        links: [
          `${siteUrl}/posts/a/activity?before=3#window-2`,
          `${siteUrl}/posts/b/activity?before=3#window-2`,
          `${siteUrl}/admin`,
          account,
          unsubscribeUrl,
        ],
      },
    ],
    "confirm-subscription": [withLink],
    "new-posts": [
      { data: { posts: [post], more: 0 }, unsubscribeUrl, links: [`${siteUrl}/posts/a`, unsubscribeUrl] },
      {
        data: { posts: [post, { ...post, slug: "b" }], more: 3 },
        unsubscribeUrl,
        links: [`${siteUrl}/posts/a`, `${siteUrl}/posts/b`, `${siteUrl}/`, unsubscribeUrl],
      },
    ],
    test: [{ data: { username }, links: [] }],
    "password-changed": (["owner", "link", "operator"] as const).map((by) => ({
      data: { username, by },
      links: [],
    })),
  };
}

/** The letters that a mail has none of, apart from its addresses. */
const foreignLetters = { en: /\p{Script=Arabic}/u, fa: /\p{Script=Latin}/u } satisfies Record<Locale, RegExp>;

/** The traces of a missing value or message. */
const missing = /[{}]|undefined|null|NaN|\[object|Invalid Date|mail\.\w/;

describe.each(locales)("a mail in %s", (locale) => {
  const { site } = names[locale];
  const all = samplesIn(locale);
  const samples = mailKinds.flatMap((kind) =>
    all[kind].map((sample, index) => ({ ...sample, kind, variant: index + 1 })),
  );

  test.each(samples)("of the kind $kind ($variant) has its texts and links, plain and as HTML", (sample) => {
    const { kind, data, link, links } = sample;
    const mail = composeMail({
      kind,
      data: JSON.stringify(data),
      locale,
      siteName: site,
      siteUrl,
      link,
      unsubscribeUrl: sample.unsubscribeUrl,
    });
    const page = parsedHtml(mail.html);
    expect(mail.subject).not.toBe("");
    expect(page.title).toBe(mail.subject);
    for (const part of [mail.text, page.text]) expect(part).toContain(site);
    for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toMatch(missing);
    // Only the names of technical things stay in Latin letters.
    for (const part of [mail.subject, mail.text, page.text])
      expect(part.replaceAll(/https:\S+|\bAPI\b/g, "")).not.toMatch(foreignLetters[locale]);
    expect(mail.text.match(/^https:.*$/gm) ?? []).toEqual(links);
    expect(page.links).toEqual(links);
    expect(page.text.match(/^https:.*$/gm) ?? []).toEqual(links);
    expect(page.languages).toEqual([locale]);
    expect(page.directions).toEqual([directionOf(locale), directionOf(locale), ...links.map(() => "ltr")]);
  });
});

/** The addresses, texts (a line each) and attributes of a mail's HTML. */
function parsedHtml(html: string) {
  const links: string[] = [];
  const languages: string[] = [];
  const directions: string[] = [];
  let [title, text] = ["", ""];
  visit(unified().use(rehypeParse).parse(html), (node, _, parent) => {
    if (node.type === "text") {
      if (parent?.type === "element" && parent.tagName === "title") title += node.value;
      else text += `${node.value}\n`;
    }
    if (node.type !== "element") return;
    const { href, lang, dir } = node.properties;
    if (href !== undefined) links.push(String(href));
    if (lang !== undefined) languages.push(String(lang));
    if (dir !== undefined) directions.push(String(dir));
  });
  return { title, text, links, languages, directions };
}
