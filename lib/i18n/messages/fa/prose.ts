import type { prose as english } from "../en/prose.ts";
import type { Translation } from "../translation.ts";

export const prose = {
  footnotes: "پانویس‌ها",
  backToReference: "بازگشت به ارجاع",
  table: "جدول",
  done: "انجام‌شده",
  notDone: "انجام‌نشده",
  language: {
    label: "زبان",
    help: "برای صفحه‌خوان‌ها، خوراک و شماره‌های فهرست‌ها.",
    detect: "تشخیص از روی متن",
    detected: "تشخیص از روی متن: {language}",
  },
} satisfies Translation<typeof english>;
