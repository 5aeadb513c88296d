import type { writing as english } from "../en/writing.ts";
import type { Translation } from "../translation.ts";

export const writing = {} satisfies Translation<typeof english>;
