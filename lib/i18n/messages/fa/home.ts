import type { home as english } from "../en/home.ts";
import type { Translation } from "../translation.ts";

export const home = {} satisfies Translation<typeof english>;
