/** Limits in words: algorithms and their settings. */
export const limits = {
  text: "{algorithm}: {summary}",
  algorithm: {
    "leaky-bucket": "Leaky bucket",
    "token-bucket": "Token bucket",
    gcra: "GCRA",
    "fixed-window": "Fixed window",
    "sliding-log": "Sliding log",
    "sliding-window-counter": "Sliding window counter",
    tiered: "Tiered",
    ema: "EMA",
  },
  summary: {
    burst: "{count, number} at once, then {rate}",
    perSecond: "{count, number} a second",
    every: "one every {period}",
    perPeriod: "{count, number} per {period}",
    aDay: "{count, number} a day ({timeZone})",
    inAny: "{count, number} in any {period}",
    aboutInAny: "about {count, number} in any {period}",
    free: "{count, number} free a day ({timeZone}), then {beyond}",
    tooFast:
      "refuses what comes much faster than usual (above Z = {threshold, number}); adapts to a tenfold rate within {time}",
    tooFastWithFloor:
      "refuses what comes much faster than usual (above Z = {threshold, number}) and above {count, number} at once plus {rate}; adapts to a tenfold rate within {time}",
    period:
      "{unit, select, day {{count, plural, =1 {day} other {# days}}} hour {{count, plural, =1 {hour} other {# hours}}} minute {{count, plural, =1 {minute} other {# minutes}}} other {{count, plural, =1 {second} other {# seconds}}}}",
    duration:
      "{unit, select, day {{count, plural, one {# day} other {# days}}} hour {{count, plural, one {# hour} other {# hours}}} minute {{count, plural, one {# minute} other {# minutes}}} other {{count, plural, one {# second} other {# seconds}}}}",
  },
  /** In place of the summaries, on pages for readers. */
  forReaders: {
    tooFast:
      "refuses ratings that come much faster than usual; a rate ten times as high counts as usual after {time}",
    tooFastWithFloor:
      "refuses ratings that come much faster than usual and are more than {count, number} at once plus {rate}; a rate ten times as high counts as usual after {time}",
  },
} as const;
