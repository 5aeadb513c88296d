const isScore =
  "{count, plural, one {is {score, plural, =0 {a zero} =1 {a one} =2 {a two} =3 {a three} =4 {a four} other {a five}}} other {are {score, plural, =0 {zeros} =1 {ones} =2 {twos} =3 {threes} =4 {fours} other {fives}}}}";
const peak =
  `{all, plural, one {This rating} other {{count, number} of these # ratings}} ${isScore}` as const;

/** A flood, to the author, moderators and raters of a post. */
export const flood = {
  title: "Flood {number, number}: {count, plural, one {# rating} other {# ratings}} in {duration}",
  titleAtOnce: "Flood {number, number}: {count, plural, one {# rating} other {# ratings}} at once",
  status: {
    held: "Not counted yet",
    counted: "Counted",
    excluded: "Left out",
  },
  goingOn: "still going on",
  usual: {
    minute: "Usually about {count, plural, one {one rating comes} other {# ratings come}} a minute.",
    hour: "Usually about {count, plural, one {one rating comes} other {# ratings come}} an hour.",
    day: "Usually about {count, plural, one {one rating comes} other {# ratings come}} a day.",
    month: "Usually about {count, plural, one {one rating comes} other {# ratings come}} a month.",
  },
  peak: `${peak}; {others, plural, one {the post’s one other rating is {found, plural, =0 {not} other {one, too}}} other {among the other # there {found, plural, =0 {are none} one {is one} other {are #}}}}.`,
  peakAlone: `${peak}. The post has no other ratings.`,
  withdrawn: "{count, plural, one {One more came and was} other {# more came and were}} withdrawn.",
  allWithdrawn: "All of them have been withdrawn since.",
  effect: {
    held: "They do not count yet: the score is <b>{score}</b>. With them it would move to <b>{other}</b>.",
    excluded: "They do not count: the score is <b>{score}</b>. With them it would move to <b>{other}</b>.",
    counted: "They count: the score is <b>{score}</b>. Without them it would move to <b>{other}</b>.",
    uncountedAlone:
      "They do not count. The post has no score yet; with them it would move to <b>{other}</b>.",
    countedAlone: "They count: the score is <b>{score}</b>. Without them the post would have no score.",
  },
  next: {
    held: "Without a decision they count from <time></time> on.",
    open: "Without a decision they count from <time></time> on, or before, once their stars are mixed like those of the post’s other ratings.",
  },
  decided: {
    likeOthers:
      "Counted automatically{dated, select, yes { on {date}} other {}}: their stars are mixed like those of the post’s other ratings.",
    unlikeOthers:
      "No longer counted{dated, select, yes { on {date}} other {}}: their stars are no longer mixed like those of the post’s other ratings.",
    time: "Counted automatically{dated, select, yes { on {date}} other {}}: they had waited as long as possible, and no person had decided.",
    counted: "<by></by> counted them{dated, select, yes { on {date}} other {}}.",
    countedWhy: "<by></by> counted them{dated, select, yes { on {date}} other {}}: <why></why>",
    excluded: "<by></by> left them out{dated, select, yes { on {date}} other {}}.",
    excludedWhy: "<by></by> left them out{dated, select, yes { on {date}} other {}}: <why></why>",
  },
  aPerson: "A person",
  deletedAccount: "A deleted account",
  suggestion: {
    excluded: "Suggestion: leave them out.",
    counted: "Suggestion: count them.",
    unclear: "No suggestion: there is no clear sign either way.",
  },
  reason: {
    oneScore:
      "{share, number, percent} of them are {score, plural, =0 {zeros} =1 {ones} =2 {twos} =3 {threes} =4 {fours} other {fives}}, far more than among the others.",
    newAccounts: "Most of their accounts were created within one day.",
    oneNetwork: "Most of them came from one network.",
    likeOthers: "Their stars are mixed like those of the post’s other ratings.",
  },
  authorHint:
    "You don’t have to do anything: moderators see this flood. If you know where these ratings came from, ask for a review and tell them.",
  mailOffer: "To get an email when this happens, <link>choose it in your account</link>.",
  preview: {
    stays: "The score would stay at {score}.",
    moves: "The score would stay at {score} for now, and move slowly to {average} over about {duration}.",
    movesTo: "The score would move to {average}.",
    none: "The post would have no score.",
  },
  options: "What an administrator or a moderator can decide:",
  choice: {
    excluded: "Leave them out",
    excluding: "Leaving them out…",
    stayExcluded: "Keep them left out",
    counted: "Count them",
    counting: "Counting them…",
    stayCounted: "Keep them counted",
  },
  change: "Change this decision",
  why: "Reason",
  whyHelp: "A sentence that all readers see on the post’s page, with your name and role.",
  notice: {
    alreadyDecided: "Another person decided on this flood meanwhile, so nothing was changed.",
    alreadyTime: "The time for a decision on this flood ended meanwhile, so nothing was changed.",
    counted: "These ratings count now.",
    excluded: "These ratings are left out now.",
  },
  review: {
    byAuthor: "The author asked for a review on <time></time>: <why></why>",
    byYou: "You asked for a review on <time></time>: <why></why> An administrator or a moderator decides.",
    request: "Ask for a review",
    submitting: "Sending…",
    reason: "Reason",
    reasonHelp:
      "Say what you know of these ratings, and whether they should count. Administrators and moderators read it, and one of them decides.",
  },
  otherDecides:
    "The author gave you your role after this flood began, so another administrator or moderator has to decide.",
  role: {
    author: "the author",
    authorAdministrator: "the author, who was the only one who could decide",
    moderator: "a moderator",
    administrator: "an administrator",
    unknown: "a person",
    named: "<name></name>, {role}",
  },
  more: "More about these ratings",
  spread: {
    label: "Ratings of flood {number, number} by stars",
    stars: "Stars",
    flood: "This flood",
    others: "The others",
  },
  accounts: {
    label: "Accounts of flood {number, number} by age",
    age: "Days since the account was created",
    under: "under {days, number}",
    between: "{from, number} to {to, number}",
    over: "{days, number} or more",
    note: "The ages of accounts when they rated, of the latest raters. Many accounts of one age, while other raters’ accounts have all ages, suggest a campaign. A single new account suggests nothing.",
    network:
      "{count, number} of {all, number} ratings came from one network; of the post’s other ratings, {others, number} of {allOthers, number}.",
    networkAlone: "{count, number} of {all, number} ratings came from one network.",
    sameDay:
      "{count, number} of {all, number} accounts were created within one day; of the post’s other raters’, {others, number} of {allOthers, number}.",
    sameDayAlone: "{count, number} of {all, number} accounts were created within one day.",
    networkNote:
      "A network is a range of internet addresses: a school, a company or a mobile carrier can be one. Over several days, the largest network of each day is added up.",
  },
  raters: {
    title: "Who gave these ratings",
    latest: "The latest {count, number}.",
    who: "Who",
    stars: "Stars",
    when: "When",
    since: "Account since",
    unknown: "unknown",
    onlyNewest:
      "The raters of this flood are not listed: they are listed for at most {count, number} floods of a post: those without a final decision, then the newest.",
  },
  marker: {
    held: "<days></days>: {count, plural, one {# rating} other {# ratings}} came in a flood. {count, plural, one {It does} other {They do}} not count yet.",
    excluded:
      "<days></days>: {count, plural, one {# rating} other {# ratings}} came in a flood, and {count, plural, one {was} other {were}} left out.",
    excludedBy:
      "<days></days>: {count, plural, one {# rating} other {# ratings}} came in a flood, and {count, plural, one {was} other {were}} left out by {role}.",
    others: "And {count, plural, one {# more flood} other {# more floods}}",
    what: "What is a flood?",
  },
  decisions: {
    label: "Decisions about floods",
    counted:
      "{count, plural, one {# rating} other {# ratings}} of <days></days> {count, plural, one {was} other {were}} counted by <by></by>, on <time></time>.",
    countedWhy:
      "{count, plural, one {# rating} other {# ratings}} of <days></days> {count, plural, one {was} other {were}} counted by <by></by>, on <time></time>: <why></why>",
    excluded:
      "{count, plural, one {# rating} other {# ratings}} of <days></days> {count, plural, one {was} other {were}} left out by <by></by>, on <time></time>.",
    excludedWhy:
      "{count, plural, one {# rating} other {# ratings}} of <days></days> {count, plural, one {was} other {were}} left out by <by></by>, on <time></time>: <why></why>",
    earlier: "And {count, plural, one {# earlier decision} other {# earlier decisions}}.",
  },
  ratingStatus: {
    held: "{count, plural, one {It came} other {It is one of # ratings that came}} much faster than usual, so it does not count yet. It will count from <time></time> on, unless a moderator decides otherwise.",
    excluded:
      "It does not count: {count, plural, one {it came} other {it is one of # ratings that came}} much faster than usual, and {count, plural, one {was} other {they were}} left out. You can rate again.",
    counted:
      "{count, plural, one {It came} other {It is one of # ratings that came}} much faster than usual, and it counts.",
  },
  yours: {
    title: "Your ratings that came in a flood",
    intro:
      "In a flood, one rating (often zero) is given much more often than usual. Such ratings wait until a moderator decides or their time is over.",
    rating: "{score, plural, one {# star} other {# stars}} for <post></post>",
  },
  undecidedFloods: {
    label: "Floods",
    own: "{count, plural, one {One rating} other {# ratings}} came to <post></post> unusually fast. {count, plural, one {It does} other {They do}} not count yet: <why>see why</why>.",
    ownOpen:
      "Ratings are coming to <post></post> unusually fast: {count, number} so far. They do not count yet: <why>see why</why>.",
    needed: "A flood of {count, plural, one {# rating} other {# ratings}} on <post></post> needs a decision.",
    ownMany: "{count, plural, one {# flood} other {# floods}} of ratings came to your posts.",
    ownMost: "More than {count, number} floods of ratings came to your posts.",
    neededMany: "{count, plural, one {# flood} other {# floods}} of ratings to look at.",
    neededMost: "More than {count, number} floods of ratings to look at.",
    look: "Have a look",
    title: "Floods of ratings on your posts",
    until: "Without a decision they count from <time></time> on.",
  },
} as const;
