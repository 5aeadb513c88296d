import type { prose as english } from "../en/prose.ts";
import type { Translation } from "../translation.ts";

export const prose = {
  footnotes: "پانویس‌ها",
  backToReference: "بازگشت به ارجاع",
  table: "جدول",
  done: "انجام‌شده",
  notDone: "انجام‌نشده",
} satisfies Translation<typeof english>;
