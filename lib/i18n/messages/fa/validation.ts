import type { validation as english } from "../en/validation.ts";
import type { Translation } from "../translation.ts";

export const validation = {} satisfies Translation<typeof english>;
