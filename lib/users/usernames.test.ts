import { expect, test } from "vitest";
import { hasVisibleMarks, isInCommonUse, isOfOneScript, isReserved, skeletonOf } from "./usernames.ts";

test.each([
  "alder-17",
  "Łukasz",
  "naïve.1",
  "мария_2",
  "Ελένη",
  "علی",
  "نهر۲",
  "नदी५",
  "みずの水",
  "カタカナー",
  "東京tower",
  "한국k",
  "Əli",
  "ẞen",
  "Ἑλένη",
  "Ұлан",
  "ქეთევან",
  "123",
])("%s keeps to one script in common use, or to a mixture of them", (name) => {
  expect(isOfOneScript(name)).toBe(true);
  expect(isInCommonUse(name)).toBe(true);
});

test.each([
  "ꓮꓓꓟꓲꓠ",
  "ꓢꓔꓮꓝꓝ",
  "ᎪᎡᏦᏚ",
  "ᴀᴅᴍɪɴ",
  "moderatᴏr",
  "sᴜpport",
  "ꜱtaff",
  "aǀice",
  "ᴠera",
  "ɑlder",
  "bɔb",
  "ƖEO",
  "ⲟⲩ",
  "ѡave",
  "alder\u0332",
  "al\u0335der",
  "al\u0338der",
  "\u{1df11}lder",
  "\u11a8a",
])("%s has a letter or mark that is not in common use", (name) => expect(isInCommonUse(name)).toBe(false));

test.each(["é\u0301va", "ab\u0307\u0323\u0307", `a${"\u0300\u0301\u0302\u0303\u0304"}`, "ắ\u0306n"])(
  "%s has a mark twice, or more than four, on one letter",
  (name) => expect(hasVisibleMarks(name)).toBe(false),
);

test.each(["Nguyễn", "ᾧδε", "שָׁלוֹם", "مُحَمَّد", "ก็ดี", "हिन्दी"])("%s has marks that are visible", (name) =>
  expect(hasVisibleMarks(name)).toBe(true),
);

test.each(["pаypal", "Ωmega", "aдмин", "аlder", "علیx", "みدر", "1१", "a٣3", "𐎀𐎁"])(
  "%s mixes scripts or digits, or is of a script of the past",
  (name) => expect(isOfOneScript(name)).toBe(false),
);

test.each([
  ["alder", "aIder"],
  ["alder", "a1der"],
  ["ALICE", "AL1CE"],
  ["modern", "modem"],
  ["wave", "vvave"],
  ["good", "g00d"],
  ["pope", "роре"],
  ["ABOTE", "АВОТЕ"],
  ["box", "ВОХ"],
  ["nova", "ΝΟVΑ".replace("V", "ν")],
  ["على", "علی"],
  ["كيان", "کیان"],
  ["ロエ", "口工"],
  ["alice", "al\u0131\u0307ce"],
  ["țară", "ţarǎ"],
  ["ë", "ё"],
  ["Андрей", "Андpей"],
  ["Ða", "Đa"],
  ["æ", "ӕ"],
  ["Əə", "Әә"],
  ["ħ", "ћ"],
  ["ça", "ҫa"],
  ["Ѕа", "Տа"],
  ["Гога", "гога"],
  ["œ", "oe"],
  // Within a script, or between two that look alike.
  ["กดน", "กตน"],
  ["மர", "மா"],
  ["అల", "ಅಲ"],
  ["२३", "૨૩"],
  ["値", "值"],
  ["أحمد", "ٲحمد"],
  ["أحمد", "ا\u0674حمد"],
  ["مؤمن", "مو\u0674من"],
  ["ケン", "ヶン"],
  ["カ", "ヵ"],
  ["キャット", "キヤット"],
  ["きょう", "きよう"],
  ["ラ", "ㇻ"],
  ["オ", "才"],
  ["チ", "千"],
  ["ヒ", "匕"],
  ["ヌ", "又"],
  ["ミ", "三"],
  ["り", "リ"],
  ["日", "曰"],
])("%s and %s look alike", (one, other) => expect(skeletonOf(other)).toBe(skeletonOf(one)));

test.each([
  ["alder", "aider"],
  ["anna", "ana"],
  ["user-1", "user-2"],
  ["мария", "марина"],
  ["はは", "ぱぱ"],
  ["नद", "नदी"],
  ["al1ce", "al1\u0307ce"],
  // Real names that differ by an accent alone.
  ["Jörg", "Jorg"],
  ["Müller", "Muller"],
  ["Zoë", "Zoe"],
  ["Núñez", "Nunez"],
  ["Françoise", "Francoise"],
  ["Łukasz", "Lukasz"],
  ["Øystein", "Oystein"],
  ["Şebnem", "Sebnem"],
  ["Nguyễn", "Nguyen"],
  ["Андрей", "Андреи"],
  ["мой", "мои"],
  ["Семён", "Семен"],
  ["Їжак", "Іжак"],
  ["Ελένη", "Ελενη"],
  ["آرش", "ارش"],
  ["فاطمة", "فاطمه"],
  ["رئوف", "ریوف"],
  ["أحمد", "احمد"],
  ["シン", "ツソ"],
  ["אֵלָה", "אלה"],
  ["がく", "かく"],
  // Hangul: the same letters in other places of a syllable.
  ["아까", "악가"],
  ["Elia", "Ella"],
  ["Гена", "уена"],
])("%s and %s do not look alike", (one, other) => expect(skeletonOf(other)).not.toBe(skeletonOf(one)));

test.each([
  "admin",
  "Admin",
  "ADMIN",
  "adm1n",
  "aDMlN",
  "ad-min",
  "Moderator",
  "rn0d",
  "r.o.o.t",
  "Support_",
  "admi\u0307n",
  "adm1\u0307n",
  "ADMİN",
  "admin\u0335",
  "mode\u0327rator",
  "àdmin",
])("%s is reserved", (name) => expect(isReserved(name)).toBe(true));

test.each(["admiral", "modest", "rooty", "admin7", "alder", "Łukasz", "naïve", "Ελένη"])(
  "%s is not reserved",
  (name) => expect(isReserved(name)).toBe(false),
);
