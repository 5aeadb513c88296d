import type { logIn as english } from "../en/logIn.ts";
import type { Translation } from "../translation.ts";

export const logIn = {} satisfies Translation<typeof english>;
