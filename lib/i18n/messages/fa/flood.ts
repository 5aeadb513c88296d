import type { flood as english } from "../en/flood.ts";
import type { Translation } from "../translation.ts";

export const flood = {} satisfies Translation<typeof english>;
