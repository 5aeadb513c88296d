import type { rating as english } from "../en/rating.ts";
import type { Translation } from "../translation.ts";

export const rating = {} satisfies Translation<typeof english>;
