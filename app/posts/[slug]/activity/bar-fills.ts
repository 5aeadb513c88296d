/** How a try's bar looks, and words about it, by what became of it: what is held is an outline, for it waits to be filled. */
export const barFills = {
  accepted: { text: "text-water", bar: "fill-water" },
  held: { text: "text-amber", bar: "fill-paper stroke-amber" },
  refused: { text: "font-medium text-amber", bar: "fill-amber" },
} as const;

export type Became = keyof typeof barFills;
