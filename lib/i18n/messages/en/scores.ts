/** The chart of a score through time, and the page that explains scores. */
export const scores = {
  howScoresWork: "How scores work",
  chart: {
    score: "Score",
    average: "Average",
    lineEnd: "{name} {stars}",
    tableOf: "{title}, as a table",
    when: "When",
    flooded: "In a flood",
    today: "Today",
  },
  timeline: {
    heading: "The score over time",
    sentence:
      "{count, plural, one {# rating} other {# ratings}} since {since}. All of them average {average}; the score is {score}.",
    caption:
      "With all ratings counted alike, the average would be {average}. The score moves slowly, so a sudden crowd can’t swing it: it is {score}.",
    per: {
      day: "Ratings per day",
      week: "Ratings per week",
      month: "Ratings per month",
      quarter: "Ratings per quarter",
      year: "Ratings per year",
    },
    flood: "{ratings} in {duration}",
    floodThat: {
      held: "{flood}, not counted yet",
      excluded: "{flood}, left out",
      counted: "{flood}, counted",
    },
    manyFloods:
      "{count, plural, one {# flood} other {# floods}} of ratings, {held, plural, =0 {none} other {#}} not counted yet.",
  },
} as const;
