// Over 200 lines: the demo's data, one entry for each post.

/** The demo's authors, ages of posts, tags, images, shares of readers, floods. */
import type { DrawingName } from "./drawings.ts";

/** How often a post gets 0, 1, … 5 stars, in shares of any sum. */
const spreads = {
  loved: [0, 1, 2, 6, 30, 61],
  liked: [2, 3, 8, 22, 40, 25],
  fair: [4, 8, 24, 34, 22, 8],
  cool: [16, 24, 28, 20, 9, 3],
  polarised: [34, 8, 3, 3, 12, 40],
} as const;

interface PlannedText {
  /** The file's name in posts/, without its ending. */
  file: string;
  author: string;
  tags: readonly string[];
}

export interface PlannedPost extends PlannedText {
  daysAgo: number;
  cover?: DrawingName;
  /** Shown after the first paragraph. */
  image?: DrawingName;
  isUnlisted?: boolean;
  /** The share of all readers who rate it. */
  share: number;
  spread: readonly number[];
  /** How many hours before now a crowd gives it zeros, all within two seconds. */
  floodHoursAgo?: number;
  /** Ratings over the limit are held in a window instead of being refused. */
  holds?: boolean;
  /** A title and address that it first had, without its last paragraph. */
  firstTitle?: string;
}

const administrator = "keeper";
const author = "alder";
const moderator = "warden";
/** The first of `readerName`. */
const reader = "ash";

/**
 * The accounts that visitors of the demo can log in to.
 * The password's hash is written down so that filling a database is always the same.
 */
export const demoLogin = {
  administrator,
  author,
  moderator,
  reader,
  password: "still-water-demo",
  passwordHash:
    "$argon2id$v=19$m=19456,t=2,p=1$TRA3jxPRE87tH+fIMT740A$yf4rIaGWb9Dk7Gkke8UQjow65y5li33R48MeaZipGbg",
} as const;

/** The address of the post whose flood a moderator has excluded. */
export const decidedFlood = "first-aid-for-wet-books";

/** Oldest first. */
export const plannedPosts: readonly PlannedPost[] = [
  {
    file: "why-canals-have-locks",
    tags: ["canals", "history"],
    author: "sluice",
    daysAgo: 118,
    share: 0.82,
    spread: spreads.liked,
  },
  {
    file: "reading-a-v-notch",
    firstTitle: "Reading a notch",
    tags: ["measuring"],
    author,
    daysAgo: 112,
    share: 0.7,
    spread: spreads.liked,
  },
  {
    file: "qanat",
    tags: ["آب", "ایران"],
    cover: "qanat",
    author: "چشمه",
    daysAgo: 107,
    share: 0.85,
    spread: spreads.loved,
  },
  {
    file: "a-small-pond",
    tags: ["ponds", "gardens"],
    image: "pond",
    author: "sedge",
    daysAgo: 101,
    share: 0.78,
    spread: spreads.loved,
  },
  { file: "the-rating-curve", tags: ["measuring"], author, daysAgo: 96, share: 0.55, spread: spreads.fair },
  {
    file: "where-a-library-keeps-its-rivers",
    tags: ["libraries", "history"],
    author: "folio",
    daysAgo: 91,
    share: 0.74,
    spread: spreads.liked,
  },
  { file: "the-stilling-well", tags: ["measuring"], author, daysAgo: 85, share: 0.5, spread: spreads.fair },
  { file: "naoura", tags: ["ماء"], author: "غيمة", daysAgo: 80, share: 0.76, spread: spreads.loved },
  {
    file: "how-a-river-changes-its-mind",
    tags: ["rivers"],
    author: "sluice",
    daysAgo: 74,
    share: 0.8,
    spread: spreads.loved,
  },
  {
    file: "measuring-with-salt",
    tags: ["measuring", "rivers"],
    author,
    daysAgo: 69,
    share: 0.62,
    spread: spreads.liked,
  },
  {
    file: "the-water-year",
    tags: ["rivers", "ponds"],
    author: "sedge",
    daysAgo: 63,
    share: 0.58,
    spread: spreads.fair,
  },
  {
    file: "the-flume-that-forgives",
    tags: ["measuring"],
    author,
    daysAgo: 58,
    share: 0.4,
    spread: spreads.cool,
  },
  {
    file: "bagh-irani",
    tags: ["آب", "ایران"],
    author: "چشمه",
    daysAgo: 52,
    share: 0.79,
    spread: spreads.loved,
  },
  {
    file: "wet-books",
    tags: ["libraries"],
    author: "folio",
    daysAgo: 47,
    share: 0.56,
    spread: spreads.liked,
    floodHoursAgo: 26,
    holds: true,
  },
  {
    file: "a-way-round-for-fish",
    tags: ["rivers", "weirs"],
    author: "sedge",
    daysAgo: 41,
    share: 0.83,
    spread: spreads.polarised,
  },
  {
    file: "a-walk-along-the-towpath",
    tags: ["canals"],
    author: "sluice",
    daysAgo: 36,
    share: 0.54,
    spread: spreads.polarised,
  },
  { file: "miqyas-al-nil", tags: ["ماء"], author: "غيمة", daysAgo: 31, share: 0.68, spread: spreads.liked },
  {
    file: "the-standing-wave",
    tags: ["weirs", "measuring"],
    author,
    daysAgo: 25,
    share: 0.64,
    spread: spreads.liked,
  },
  {
    file: "letting-reeds-do-the-work",
    tags: ["ponds"],
    author: "sedge",
    daysAgo: 20,
    share: 0.47,
    spread: spreads.fair,
  },
  {
    file: "a-bottle-and-a-watch",
    tags: ["measuring"],
    author,
    daysAgo: 18,
    share: 0.04,
    spread: spreads.loved,
    isUnlisted: true,
  },
  {
    file: "a-bucket-with-a-hole",
    tags: ["limits"],
    author,
    daysAgo: 16,
    share: 0.5,
    spread: spreads.loved,
    floodHoursAgo: 9 * 24 + 2,
  },
  {
    file: "a-garden-that-drinks",
    tags: ["gardens"],
    author: "sedge",
    daysAgo: 11,
    share: 0.44,
    spread: spreads.cool,
  },
  {
    file: "what-a-weir-does",
    tags: ["weirs", "rivers"],
    cover: "weir",
    author,
    daysAgo: 6,
    share: 0.52,
    spread: spreads.loved,
    floodHoursAgo: 5,
    holds: true,
  },
  // One with a single rating, a zero, and one without ratings.
  {
    file: "when-the-weir-is-drowned",
    tags: ["weirs", "limits"],
    author,
    daysAgo: 2,
    share: 0,
    spread: [1, 0, 0, 0, 0, 0],
  },
  { file: "sarriz", tags: ["آب"], author: "چشمه", daysAgo: 0.3, share: 0, spread: spreads.liked },
];

/** Not published yet; the author sees them. */
export const plannedDrafts: readonly (PlannedText & { publishedInDays?: number })[] = [
  { file: "the-gauge-board", author, tags: ["measuring"] },
  { file: "opening-the-sluice", author, tags: ["weirs"], publishedInDays: 3 },
];

/** The one rating of a post that has no other. */
export const loneZero = "when-the-weir-is-drowned";

const words =
  "alder ash bank barley beck birch bracken brook burn cedar clay coot creek crane dale dew drift eddy elm fen fern ferry flint ford gorse heath heron inlet iris isle kelp lark linden loam marsh mead mere mill mint moss oak osier otter pebble pike pond quay reed ripple rush sallow shoal silt spring sprat swift teal tern thaw tide vole wade wharf willow wren";
const otherScripts =
  "باران جویبار رودبار ساحل نیزار مهتاب بیشه مرداب نهر ضفة بستان ساقية قطرة نخلة ندى かわ みずうみ 川辺 小石 水音 せせらぎ";

/**
 * Names for readers: words by the water, a number behind most of them.
 * The same index has the same name.
 */
export function readerName(index: number): string {
  const special = otherScripts.split(" ");
  const plain = words.split(" ").slice(1);
  const [names, place] = index % 12 === 5 ? [special, Math.floor(index / 12)] : [plain, index * 7];
  const round = Math.floor(place / names.length);
  return `${names[place % names.length]}${round === 0 ? "" : `-${round * 3 + (index % 3) + 1}`}`;
}

/** A reader whom an administrator has disabled. */
export const disabledReader = readerName(14);
