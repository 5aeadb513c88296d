/** The editor's tools, in their order, and their shortcuts. */
export const toolNames = [
  "heading",
  "bold",
  "italic",
  "link",
  "quote",
  "list",
  "numbered",
  "code",
  "image",
] as const;
export type ToolName = (typeof toolNames)[number];
/** A tool that edits the text at once. */
export type EditingTool = Exclude<ToolName, "image">;

/** The tool of a letter that is pressed with Ctrl or Command. */
export const shortcuts: { readonly [letter: string]: EditingTool } = { B: "bold", I: "italic", K: "link" };
