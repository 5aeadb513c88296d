import type { post as english } from "../en/post.ts";
import type { Translation } from "../translation.ts";

export const post = {} satisfies Translation<typeof english>;
