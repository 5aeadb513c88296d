/**
 * Which usernames could be mistaken for others: reserved ones, names of mixed scripts, and lookalikes.
 *
 * Scripts follow UTS 39, "Highly Restrictive": one script for each name, or one of the three mixtures that Chinese,
 * Japanese and Korean need. Lookalikes are found as UTS 39 does it, by a skeleton in which every character stands for
 * those that look like it. Its table has 6,000 rows; the one here has those that can make a whole name of one script
 * look like one of another, and those within Latin, Arabic and Japanese writing.
 */

/** Scripts in daily use (UAX 31, tables 5 and 7). */
const scripts =
  "Adlam Arabic Armenian Balinese Bamum Batak Bengali Bopomofo Canadian_Aboriginal Chakma Cham Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hanifi_Rohingya Hebrew Hiragana Javanese Kannada Katakana Kayah_Li Khmer Lao Latin Lepcha Limbu Lisu Malayalam Mandaic Meetei_Mayek Miao Mongolian Myanmar New_Tai_Lue Newa Nko Nyiakeng_Puachue_Hmong Ol_Chiki Oriya Osage Saurashtra Sinhala Sundanese Syloti_Nagri Syriac Tai_Le Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Wancho Yi";

const mixtures = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

const permitted = [...scripts.split(" ").map((script) => [script]), ...mixtures].map((group) => {
  const classes = [...group, "Common", "Inherited"].map((script) => `\\p{scx=${script}}`);
  return new RegExp(`^[${classes.join("")}]*$`, "u");
});

/** Whether a name keeps to one script, or to a mixture in use, and to the digits of one system. */
export function isOfOneScript(name: string): boolean {
  // The ten digits of a system never cross a multiple of 16.
  const digitSystems = new Set(name.match(/\p{Nd}/gu)?.map((digit) => (digit.codePointAt(0) ?? 0) >> 4));
  return digitSystems.size <= 1 && permitted.some((pattern) => pattern.test(name));
}

/** Characters that look like the key, in lower case or as a capital; at the end, marks. */
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

/** A dot where a letter has one already: it changes nothing that can be seen. */
const secondDot = /(?<=[ijıіј])\u0307/gu;

/**
 * What a username looks like; two with the same skeleton can be mistaken for one another. As in UTS 39, accents count:
 * `Zoë` is another name than `Zoe`, and `мой` than `мои`.
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

/** Without accents, other marks and separators too, and with 1, l and i as one. */
function reservedKey(username: string): string {
  return skeletonOf(username.normalize("NFKD").replace(/\p{Mn}/gu, ""))
    .replace(/[._-]/g, "")
    .replaceAll("l", "i");
}
