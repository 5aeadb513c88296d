import type { refusal as english } from "../en/refusal.ts";
import type { Translation } from "../translation.ts";

export const refusal = {} satisfies Translation<typeof english>;
