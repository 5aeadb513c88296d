/**
 * Detects usernames that could be mistaken for others.
 * These are reserved ones, names of mixed scripts, and lookalikes.
 *
 * Scripts follow UTS 39, "Highly Restrictive": one script for each name, or one of the three mixtures that Chinese,
 * Japanese and Korean need. Lookalikes are found as UTS 39 does it, by a skeleton in which every character stands for
 * those that look like it, with Unicode's table (confusables.ts) and a short one of our own.
 */
import type { Skeletons } from "../../db/index.ts";
import { confusables } from "./confusables.ts";

/**
 * Scripts that UAX 31 recommends for names (table 5).
 * Letters of the others can spell most Latin words.
 */
const scripts =
  "Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan";

/**
 * Letters and marks of these scripts that few names need.
 * Phonetic, historic and technical ones, small capitals. Those of Latin, Greek and Cyrillic, and common to all scripts,
 * that UTS 39's general profile does not allow, and parts of Hangul syllables that look like others by themselves.
 */
const uncommonRanges =
  "0180-018e 0190-019f 01a2-01ae 01b1-01c3 01dd 01e4-01e5 01f6-01f7 021c-021d 0220-0225 0234-0258 025a-02ba 02bd-02d1 02ee 0305 030d-030e 0312 0315-031a 031c-0322 0329-032c 032f 0332-0338 033a-033f 0346-0377 037f 03cf-03e1 03f3-03fb 0460-0489 0500-050f 052a-052d 0640 0951-0954 1113-1160 1176-11ff 1ab0-1aeb 1c80-1c8a 1cd0-1dff 1e9c-1e9d 1e9f 1efa-1eff 20d0-2793 2c60-2c7f 2de0-2e2f 302a-302d 3031-3035 303c 3248-324f a640-a67d a680-a69f a722-a7ff a830-a835 a960-a97f a9cf ab30-ab68 d7b0-d7ff fe00-fe2f 10000-1ffff";
const uncommon = new RegExp(
  `[${uncommonRanges
    .split(" ")
    .map((range) => range.replace(/[0-9a-f]+/g, "\\u{$&}"))
    .join("")}]`,
  "u",
);

const mixtures = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

const onlyOf = (group: readonly string[]) =>
  new RegExp(`^[${[...group, "Common", "Inherited"].map((script) => `\\p{scx=${script}}`).join("")}]*$`, "u");
const common = onlyOf(scripts.split(" "));
const permitted = [...scripts.split(" ").map((script) => [script]), ...mixtures].map(onlyOf);

/** Whether all letters and marks of a name are in common use today. */
export function isInCommonUse(name: string): boolean {
  return common.test(name) && !uncommon.test(name);
}

/** Whether a name uses one script, or a common mixture, and digits of one system. */
export function isOfOneScript(name: string): boolean {
  // The ten digits of a system never cross a multiple of 16.
  const digitSystems = new Set(name.match(/\p{Nd}/gu)?.map((digit) => (digit.codePointAt(0) ?? 0) >> 4));
  return digitSystems.size <= 1 && permitted.some((pattern) => pattern.test(name));
}

/**
 * Whether each letter has at most four marks, none of them twice (UTS 39, 5.4).
 * Marks that lie on one another, or far above the letter, are not visible.
 */
export function hasVisibleMarks(name: string): boolean {
  return !/[\p{Mn}\p{Me}]{5}|([\p{Mn}\p{Me}])[\p{Mn}\p{Me}]*\1/u.test(name.normalize("NFD"));
}

/**
 * For each key, characters that look like it.
 * Unicode's table does not have them; they come before it.
 */
const lookalikes = {
  c: "ς",
  d: "ժ",
  k: "кκ",
  l: "ӏ",
  m: "м",
  r: "Γ",
  t: "тτ",
  x: "χ",
  // The hamza above a letter, and beside one.
  "\u0674": "\u0654",
  オ: "才",
  チ: "千",
  ヌ: "又",
  ヒ: "匕",
  ミ: "三",
  ム: "厶",
  メ: "乂",
  ヨ: "彐",
  リ: "り",
  ル: "儿",
  日: "曰",
};

/** Small kana, and the large ones that differ from them by their size alone. */
const smallKana = "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ";
const largeKana = "あいうえおつやゆよわかけアイウエオツヤユヨワカケクシストヌハヒフヘホムラリルレロ";

const shown = new Map([
  ...confusables,
  ...Object.entries(lookalikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
  ...[...smallKana].map((small, index) => [small, largeKana[index] ?? small] as const),
]);

/** A dot above a letter that has one already: it is not visible. */
const secondDot = /(?<=[ijıіј])\u0307/gu;

/**
 * A username's skeleton: names with the same one can be mistaken for each other.
 * As in UTS 39, accents count: `Zoë` differs from `Zoe`, and `мой` from `мои`.
 */
export function skeletonOf(username: string): string {
  const look = (text: string) => [...text].map((character) => shown.get(character) ?? character).join("");
  // A capital may look like a letter that its lower case does not look like.
  const lower = (text: string) => look(look(text)).toLowerCase();
  const written = username.normalize("NFKD").replace(secondDot, "");
  return look(lower(lower(written)))
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .normalize("NFC");
}

/**
 * The skeletons of a username as it is written, and in lower case.
 * `ALICE` looks like `aIice` with a capital i, and written small like `alıce` with a dotless i.
 */
export function skeletonsOf(username: string): Skeletons {
  return {
    usernameSkeleton: skeletonOf(username),
    lowerCaseSkeleton: skeletonOf(username.normalize("NFKC").toLowerCase()),
  };
}

const reserved = new Set(
  [
    ..."admin admins administrator administrators sysadmin superuser root system operator owner".split(" "),
    ..."mod mods moderator moderators staff team official support help helpdesk security abuse".split(" "),
    ..."webmaster postmaster hostmaster noreply weir anonymous deleted everyone guest null undefined".split(
      " ",
    ),
  ].map(reservedKey),
);

/**
 * Whether a name, or a lookalike of it, speaks for the site.
 * Only its operator may give such a name.
 */
export function isReserved(username: string): boolean {
  return reserved.has(reservedKey(username));
}

/** As `skeletonOf`, ignoring accents, marks, separators, and 1, l and i as one. */
function reservedKey(username: string): string {
  const bare = (text: string) => text.normalize("NFKD").replace(/\p{Mn}|[._-]/gu, "");
  return bare(skeletonOf(bare(username))).replaceAll("l", "i");
}
