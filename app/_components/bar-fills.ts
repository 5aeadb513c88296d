/** Classes of an attempt's bar and text by outcome; held ones are outlined. */
export const barFills = {
  accepted: { text: "text-water", bar: "fill-water" },
  held: { text: "text-amber", bar: "fill-paper stroke-amber" },
  refused: { text: "font-medium text-amber", bar: "fill-amber" },
} as const;

export type AttemptOutcome = keyof typeof barFills;
