/**
 * Which usernames could be mistaken for others: reserved ones, names of mixed scripts, and lookalikes.
 *
 * Scripts follow UTS 39, "Highly Restrictive": one script for each name, or one of the three mixtures that Chinese,
 * Japanese and Korean need. Lookalikes are found as UTS 39 does it, by a skeleton in which every character stands for
 * those that look like it. Its table has 6,000 rows; the one here has those that can make a whole name of one script
 * look like one of another, and those within Latin, Arabic and Japanese writing.
 */

/** Scripts that UAX 31 recommends for names (table 5); letters of the others can spell most Latin words. */
const scripts =
  "Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan";

/**
 * Letters and marks of these scripts that few names need: phonetic, historic and technical ones, small capitals.
 * Those of Latin, Greek and Cyrillic, and common to all scripts, that UTS 39's general profile does not allow.
 */
const uncommonRanges =
  "0180-018e 0190-019f 01a2-01ae 01b1-01c3 01dd 01e4-01e5 01f6-01f7 021c-021d 0220-0225 0234-0258 025a-02ba 02bd-02d1 02ee 0305 030d-030e 0312 0315-031a 031c-0322 0329-032c 032f 0332-0334 0336-0337 033a-033f 0346-0377 037f 03cf-03e1 03f3-03fb 0460-0489 0500-050f 052a-052d 0640 0951-0954 1ab0-1aeb 1c80-1c8a 1cd0-1dff 1e9c-1e9d 1e9f 1efa-1eff 20d0-2793 2c60-2c7f 2de0-2e2f 302a-302d 3031-3035 303c 3248-324f a640-a67d a680-a69f a722-a7ff a830-a835 a9cf ab30-ab68 fe00-fe2f 10000-1ffff";
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

/** Whether a name keeps to one script, or to a mixture in use, and to the digits of one system. */
export function isOfOneScript(name: string): boolean {
  // The ten digits of a system never cross a multiple of 16.
  const digitSystems = new Set(name.match(/\p{Nd}/gu)?.map((digit) => (digit.codePointAt(0) ?? 0) >> 4));
  return digitSystems.size <= 1 && permitted.some((pattern) => pattern.test(name));
}

/**
 * For each key, the characters that look like it; at the end, marks.
 * In lower case or as a capital.
 */
const lookalikes: Record<string, string> = {
  a: "αаɑΑА",
  b: "ВΒЬьƄƅ",
  c: "сСςϹ",
  d: "ԁժ",
  e: "еЕΕҽ",
  f: "ք",
  g: "ցɡ",
  h: "һНΗհҺ",
  i: "іιıɩ",
  j: "јЈϳͿ",
  k: "КкκΚ",
  l: "I1ІΙӀӏוןا١۱",
  m: "МмΜ",
  n: "Νոռ",
  o: "0οΟоОօՕסهہەھ٥۵०০੦૦୦௦౦೦൦๐໐၀ဝഠ",
  p: "рРρΡ",
  q: "ԛզգ",
  r: "гΓг",
  s: "ѕЅ",
  t: "ТтΤτ",
  u: "υսʋ",
  v: "νѵѴט",
  w: "ԝѡա",
  x: "хХΧχ",
  y: "уУΥҮүγყ",
  z: "Ζ",
  ß: "β",
  ی: "يى",
  ک: "ك",
  一: "ー",
  口: "ロ",
  工: "エ",
  二: "ニ",
  八: "ハ",
  夕: "タ",
  力: "カ",
  卜: "ト",
  へ: "ヘ",
  "\u0302": "\u0311",
  "\u0303": "\u0342",
  "\u0306": "\u030c",
  "\u0313": "\u0315",
  "\u0326": "\u0321\u0327\u0339",
  "\u0328": "\u0322\u0345",
  "\u0331": "\u0320",
  "\u0335": "\u0336",
  "\u0338": "\u0337",
};
const shown = new Map(
  Object.entries(lookalikes).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

/** A dot above a letter that has one already: it is not visible. */
const secondDot = /(?<=[ijıіј])\u0307/gu;

/**
 * A username's skeleton: names with the same one can be mistaken for each other.
 * As in UTS 39, accents count: `Zoë` differs from `Zoe`, and `мой` from `мои`.
 */
export function skeletonOf(username: string): string {
  const looks = (character: string) => shown.get(character) ?? character;
  return (
    [...username.normalize("NFKD").replace(secondDot, "")]
      // A capital may look like a letter that its lower case does not look like.
      .map((character) => looks(looks(character).toLowerCase()))
      .join("")
      .replaceAll("rn", "m")
      .replaceAll("vv", "w")
      .normalize("NFC")
  );
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

/** Whether a name, or what it looks like, speaks for the site: only its operator may give it. */
export function isReserved(username: string): boolean {
  return reserved.has(reservedKey(username));
}

/** As `skeletonOf`, ignoring accents, marks, separators, and 1, l and i as one. */
function reservedKey(username: string): string {
  return skeletonOf(username.normalize("NFKD").replace(/\p{Mn}/gu, ""))
    .replace(/[._-]/g, "")
    .replaceAll("l", "i");
}
