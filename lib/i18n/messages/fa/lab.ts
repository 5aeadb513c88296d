import type { lab as english } from "../en/lab.ts";
import type { Translation } from "../translation.ts";

export const lab = {} satisfies Translation<typeof english>;
