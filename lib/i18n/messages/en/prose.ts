/** A post's text: its language, and names of its parts for screen readers. */
export const prose = {
  footnotes: "Footnotes",
  backToReference: "Back to reference",
  table: "Table",
  done: "Done",
  notDone: "Not done",
  language: {
    label: "Language",
    help: "For screen readers, the feed, and the numbers of lists.",
    detect: "As detected from the text",
    detected: "As detected from the text: {language}",
  },
} as const;
