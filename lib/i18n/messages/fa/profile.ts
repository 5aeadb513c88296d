import type { profile as english } from "../en/profile.ts";
import type { Translation } from "../translation.ts";

export const profile = {
  postsBy: "نوشته‌های {name}",
  since: "عضو از <day></day>",
  sinceDisabled: "عضو از <day></day> · این حساب غیرفعال است",
  noPosts: "هنوز نوشته‌ای ندارد.",
  manage: "مدیریت این حساب",
} satisfies Translation<typeof english>;
