import type { errors as english } from "../en/errors.ts";
import type { Translation } from "../translation.ts";

export const errors = {} satisfies Translation<typeof english>;
