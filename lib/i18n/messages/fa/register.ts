import type { register as english } from "../en/register.ts";
import type { Translation } from "../translation.ts";

export const register = {} satisfies Translation<typeof english>;
