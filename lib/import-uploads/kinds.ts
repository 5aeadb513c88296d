/** The kinds of archives, and the results for their posts. */

export const importFormats = ["markdown", "ghost", "wordpress"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** The post was imported, would be, was there already, or could not be. */
export const importResults = ["imported", "would-import", "skipped", "failed"] as const;
export type ImportResult = (typeof importResults)[number];

/** How many authors get other accounts at most. */
export const authorsMaximum = 500;
