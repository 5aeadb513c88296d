/** The possible scores; a file of its own, so that client scripts do not load Zod. */
import type { Score } from "../../db/types.ts";

export const scores = [0, 1, 2, 3, 4, 5] as const satisfies readonly Score[];
export type { Score };
