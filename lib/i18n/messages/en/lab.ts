/** The lab, which compares limits: the documentation's words, each explained. */
export const lab = {
  title: "Lab",
  description: "Where each limit would lead a post’s score, on the same ratings, side by side.",
  intro:
    "Flood a post, and see where its score goes with different limits. The functions that guard this blog run on the ratings you choose; nothing you do here counts. At first every setting is this blog’s own{changed, select, yes {, without the changes that <code>LIMITS</code> makes to <code>rating.post</code>} other {}}.",
  compare: "Compare",
  startAfresh: "Start afresh",
  form: {
    trace: "Ratings",
    simulated: "Simulated",
    demonstrations: "Demonstrations",
    yours: "Yours",
    ofPost: "Recorded attempts to rate one of your posts",
    pastedTimes: "A pasted list of times",
    times: "Times",
    timesHelp:
      "One per line, or separated by commas: seconds (<code>12.5</code>), milliseconds (<code>12500ms</code>, or since 1970), or dates with a time (<code>2026-01-05T12:00:00Z</code>). At most {times, number} times in {characters, number} characters, because they travel in the page’s address.",
    about: "What these are",
    logIn: "<link>Log in</link> to see the attempts to rate your own posts. Other users cannot see them.",
    noPosts: "You have no posts yet.",
    post: "Post",
    choose: "Choose one",
    algorithms: "Limits and their settings",
    all: "all {all, number}",
    some: "{shown, number} of {all, number}",
    own: "{lanes}, as this blog has them",
    changed: "{lanes}, {count, plural, one {# setting} other {# settings}} changed",
    part: "Part of the time",
    wholePart: "all of it",
    partText: "{from} s to {to} s",
    partFrom: "{from} s to the end",
    from: "From, in seconds",
    to: "To, in seconds",
    toHelp: "Counted from the first rating. The limits still count what came before.",
    show: "Show {title}",
    broken: "cannot be shown",
    calendarDays: "Calendar days",
  },
  error: {
    seconds: "must be a number of seconds, 0 or more",
    later: "must be later than where the part begins",
    earlier: "must be earlier than the end of the trace",
    noTrace: "There is no such trace. Choose one of these.",
    choosePost: "Choose one of your posts.",
    noAttempts: "There have been no attempts to rate this post yet.",
    characters: "That is more than {most, number} characters, which an address cannot carry.",
    line: "Line {line, number}, “{part}”: {fault}",
    nothing: "Paste at least one time.",
    many: "These are {count, number} times; at most {most, number} are taken.",
    long: "this is more than {days, number} days after the earliest time, and no trace may be longer.",
    notTime:
      "neither a number of seconds (12.5), of milliseconds (12500ms), nor a date with a time (2026-01-05T12:00:00Z).",
    negative: "a time before the beginning; the earliest is 0.",
    future: "too far in the future.",
    unavailable: "The site cannot compute a comparison at the moment. Try again in a few seconds.",
  },
  shown: {
    pasted: "Pasted times",
    pastedAbout: "{count, plural, one {One time} other {# times}}, as pasted.",
    utc: "Times are UTC.",
    recorded:
      "All recorded attempts to rate this post, allowed or not. Only its author can see this. Times are UTC.",
    cut: "These are the newest: at most {most, number}, of {days, number} days.",
    busiest: "The busiest part",
    flood: "The flood",
  },
  result: {
    tryWith: "Try it with {settings}",
    leftOut: "{title} is left out:",
    span: "{from} to {to}",
    marks: "Each mark is one rating.",
    bars: "Each bar counts the ratings of {duration}.",
    whole: "The whole time",
    part: "A part",
    parts: "Part of the time",
    decisions: "What each limit lets through",
  },
  scores: {
    title: "Where the score goes",
    about:
      "A limit that refuses a rating keeps it from the score; one that holds it saves it, and it doesn’t count until a person decides or some time has passed. Either way the score follows what counts slowly.",
    past: "The post had 300 ratings in the month before, 4.4 on average.",
    siteTitle: "This site’s limits",
    siteAbout:
      "{count, plural, =0 {No limit on how fast a post is rated} one {# limit on how fast a post is rated} other {# limits on how fast a post is rated, all at once}}{detects, select, yes {, and floods of the same rating are held} other {}}.",
    noLimit: "No limit",
    limit: "Limit",
    refused: "Refused",
    held: "Held",
    average: "Average",
    score: "Score",
    ifHeld: "Score if held",
    lines: { average: "Average", score: "Score", held: "Held" },
    bars: "Ratings",
    sentence:
      "{title}: the average of what counts ends at {average}, the score at {score}. {refused, plural, one {# rating is} other {# ratings are}} refused, {held, plural, one {# is} other {# are}} held.",
    chart: "The score under: {title}",
  },
  comparison: {
    label: "Comparison",
    caption: "Over the whole time",
    algorithm: "Limit",
    accepted: "Accepted",
    refused: "Refused",
    most: "Most in a second",
    wait: "Longest wait",
    honest: "Honest readers refused",
    flood: "Flood passed",
    forEver: "for ever",
    percent: "{text}%",
    under: "<1",
    over: ">99",
  },
  lane: {
    inForce: "what this blog uses now",
    accepted: "{count, number} accepted",
    refused: "{count, number} refused",
    lines: "Use it",
    linesOf: "{title}: use it",
    chart: "{title}: accepted and refused over time, and what it measured",
    upTo: "up to {most, number}",
    nothingFits: "The limit is below one: nothing can ever pass",
    nothing: "Nothing came in this part.",
    table: "{title} as a table",
    more: "{count, number} more are not listed: show a shorter part to see them.",
    when: "When",
    decision: "Decision",
    why: "Why",
    seconds: "{seconds} s",
    day: "day {day, number}",
    dayTime: "{day}, {time}",
  },
  csv: {
    title: "Your own ratings",
    link: "Paste ratings as CSV, up to {rows, number} rows",
    intro:
      "See where these ratings would lead a post’s score under this site’s limits, and under: {limits}. <link>Choose other limits and settings</link>.",
    separator: ", ",
    field: "Ratings",
    notKept:
      "Without JavaScript the ratings are not shown again with the result: your browser's Back button brings them back.",
    help: "One rating per line: time, score from 0 to 5, and, if you like, the user: 2026-01-05T12:00:00Z,4,alice. Times may be seconds, too. At most {rows, number} rows and 4 MB. Nothing is saved.",
    submitting: "Comparing…",
    error: {
      nothing: "Paste at least one rating.",
      columns: "write a time, a score, and perhaps a user, separated by commas.",
      score: "the score must be 0, 1, 2, 3, 4 or 5.",
      many: "These are more than {rows, number} ratings. Paste a part of them.",
      long: "The ratings are more than {years} years apart. Paste a part of them.",
      busy: "Other comparisons are being computed. Try again in a minute.",
      tooLong: "This takes too long to compute. Choose fewer limits, or paste fewer ratings.",
    },
  },
  use: {
    title: "Use this limit",
    about: "{title}: {summary}.",
    blog: "To limit this blog’s ratings by it",
    blogHow:
      "Put these lines into the file <code>.env</code> in Weir’s folder, or into the environment that it is started with, and start it again. They hold for each post by itself.",
    limitsWins:
      "On this blog <code>LIMITS</code> sets <code>rating.post</code> already, and takes precedence over these lines.",
    limitsFurther:
      "On this blog <code>LIMITS</code> also has <names></names>, which decides beside these lines.",
    allDefaults:
      "All of them are what Weir comes with, and may be left out unless your <code>.env</code> sets them already.",
    someDefaults:
      "These are what Weir comes with, and may be left out unless your <code>.env</code> sets them already: <names></names>.",
    shadow: "To try it first",
    shadowHow:
      "With this line instead, it runs in shadow: it decides beside the limit that is on and refuses no request. What it would have done is recorded, for the post’s author to see. If <code>LIMITS</code> is set already, add what is between the outer braces to it.",
    service: "To use it in another program",
    serviceHow:
      "Save this as <code>limiter.json</code> and start <code>npm run limiter</code>: the same limit as a service, over ZeroMQ and HTTP.",
    download: "Download limiter.json",
  },
  trace: {
    flood: {
      title: "A flood after a quiet day",
      about:
        "Readers rate a post about every two minutes. At 20:00 a script sends 120 zeros within three seconds, and 700 more trickle in over the next minutes while readers go on. Simulated.",
    },
    campaign: {
      title: "A slow campaign",
      about:
        "A large channel calls for zeros at 4:00: one every two seconds at first, half as many every forty minutes, beside readers who come about every ten minutes. Never much in any one second. Simulated.",
    },
    surge: {
      title: "An honest front-page surge",
      about:
        "A post is linked from a front page: what was one reader a minute grows tenfold over two hours, stays so for half an hour, and falls again. All readers are honest. Simulated.",
    },
    crowd: {
      title: "A steady crowd",
      about: "Twelve independent readers a second, for one minute. All readers are honest. Simulated.",
    },
    locker: {
      title: "100 calls 0.1 s apart",
      about: "A limit of 5 per 0.8 seconds: five pass, three are refused, again and again.",
    },
    edge: {
      title: "One early, two just before 5 s, three at 6 s",
      about:
        "Around the edge of a window of 5 seconds: a fixed window of 3 passes five of these within 2 seconds, a sliding log never more than three in any 5.",
    },
    tokens: {
      title: "15 requests 0.1 s apart",
      about: "A bucket of 10 tokens that gains 2 a second: twelve pass, the last three are refused.",
    },
    instant: {
      title: "21 at one instant",
      about: "A bucket of 20 passes twenty of them and refuses the last.",
    },
    gaps: {
      title: "15 requests 5 s apart, then 6 that are 50 ms apart",
      about: "After fifteen regular gaps, an EMA refuses most of the six irregular requests.",
    },
  },
  suggestion: {
    campaign: "200 free a day, then 5 a minute; a window of 100 an hour",
    locker: "5 per 0.8 seconds",
    edge: "3 per 5 seconds",
    tokens: "10 at once, 2 a second",
    instant: "20 at once, 10 a second",
  },
  algorithm: {
    "leaky-bucket": {
      title: "Leaky bucket",
      about: "Requests fill a bucket that drains steadily; one that would overflow it is refused.",
    },
    "token-bucket": {
      title: "Token bucket",
      about: "Each request takes a token, and tokens come back steadily until the bucket is full.",
    },
    "fixed-window": {
      title: "Fixed window",
      about: "At most this many in each window; then the count starts again.",
    },
    "sliding-log": {
      title: "Sliding log",
      about: "At most this many in any span of the given length.",
    },
    tiered: {
      title: "Tiered",
      about: "This many are free each day; after them a second limit decides.",
    },
    ema: {
      title: "EMA",
      about:
        "An exponential moving average: it learns how far apart requests usually come, and refuses those that come much faster.",
    },
    gcra: {
      title: "GCRA",
      about: "Each request is due at a theoretical time; one that comes too far ahead of it is refused.",
    },
    "sliding-window-counter": {
      title: "Sliding window counter",
      about: "As a sliding log, estimated from the counts of two windows.",
    },
  },
} as const;
