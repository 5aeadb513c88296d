import type { profile as english } from "../en/profile.ts";
import type { Translation } from "../translation.ts";

export const profile = {
  postsBy: "نوشته‌های {name}",
  since: "عضو از <day></day>",
  sinceDisabled: "عضو از <day></day> · این حساب غیرفعال است",
  noPosts: "هنوز نوشته‌ای ندارد.",
  administration: "مدیریت",
  disabledNow:
    "این کاربر نمی‌تواند وارد شود و امتیازهایش شمرده نمی‌شوند. با فعال کردن او، امتیازهایش برمی‌گردند.",
  disableHelp:
    "حسابی که غیرفعال شود بی‌درنگ از همه‌جا خارج می‌شود و کسی نمی‌تواند با آن وارد شود. امتیازهایش شمرده نمی‌شوند تا وقتی که حساب دوباره فعال شود. نوشته‌هایش می‌مانند.",
  reason: "دلیل",
  reasonHelp: "ثبت می‌شود و فقط مدیران آن را می‌بینند.",
  saving: "در حال ذخیره…",
  enable: "فعال کردن این کاربر",
  disable: "غیرفعال کردن این کاربر",
} satisfies Translation<typeof english>;
