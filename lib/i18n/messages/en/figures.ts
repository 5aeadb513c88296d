/** Scores, ratings and their charts, wherever they are shown. */
export const figures = {
  notRated: "Not rated yet",
  noScore: "No score yet",
  ratings: "{count, plural, one {# rating} other {# ratings}}",
  ratingsAtLeast: "{count, number}+ ratings",
  ratingsSoFar: "{count, plural, one {# rating so far} other {# ratings so far}}",
  scoreOfRatings: "{score} of 5 from {count, plural, one {# rating} other {# ratings}}",
  asTable: "As a table",
  histogramTitle: "How many gave each number of stars",
  stars: "Stars",
  ratingsColumn: "Ratings",
  from: "From",
  accepted: "Accepted",
  held: "Not counted at once",
  refused: "Refused",
  level: "Level",
} as const;
