import type { scores as english } from "../en/scores.ts";
import type { Translation } from "../translation.ts";

export const scores = {} satisfies Translation<typeof english>;
