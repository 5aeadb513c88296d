import type { activity as english } from "../en/activity.ts";
import type { Translation } from "../translation.ts";

export const activity = {} satisfies Translation<typeof english>;
