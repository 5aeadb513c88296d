/** Names of parts of a post's text, for those who do not see them. */
export const prose = {
  footnotes: "Footnotes",
  backToReference: "Back to reference",
  table: "Table",
  done: "Done",
  notDone: "Not done",
} as const;
