import type { problems as english } from "../en/problems.ts";
import type { Translation } from "../translation.ts";

export const problems = {
  badTarget: "هدف درخواست نه مسیر است و نه نشانی کامل.",
  nothingHere: "اینجا چیزی نیست.",
  badHost: "سرآیند Host نام یک میزبان نیست.",
  twoHosts: "درخواست بیش از یک سرآیند Host دارد.",
  unexpected: "سایت اشکالی دارد و نتوانست پاسخ دهد. جزئیات در گزارش سرور آمده است.",
  tooBusy: "سایت بسیار شلوغ است و نتوانست به‌موقع پاسخ دهد. چند ثانیهٔ دیگر دوباره امتحان کنید.",
  foreign:
    "این درخواست از صفحهٔ سایت دیگری فرستاده شده بود و پذیرفته نشد. اگر چنین نیست، سرور نشانی خودش را نمی‌داند؛ پشت پروکسی باید TRUSTED_PROXY_HOPS یا SITE_URL تنظیم شده باشد.",
  method: "اینجا {method} ممکن نیست؛ این‌ها ممکن‌اند: {allowed}.",
  tooLarge: "درخواست بیش از اندازه بزرگ است: هر بار حداکثر {maximum, number} مگابایت می‌توان فرستاد.",
  tooManyFields: "فرم بیش از اندازه خانه دارد: هر بار حداکثر {maximum, number} خانه می‌توان فرستاد.",
  tooManyBodies: "درخواست‌های بزرگ بسیاری هم‌زمان فرستاده می‌شود. کمی بعد دوباره امتحان کنید.",
  incompleteForm: "فرم ناقص است. صفحه را دوباره باز کنید و فرم را از نو بفرستید.",
  foreignDownload: "این دریافت را از صفحه‌های خود سایت آغاز کنید.",
  administratorsOnly: "تنها مدیران این سایت می‌توانند این کار را بکنند.",
  noImage: "چنین تصویری نیست.",
  noUser: "چنین کاربری نیست.",
  noPost: "چنین نوشته‌ای نیست.",
  noFeed: "چنین خوراکی نیست.",
  noLanguage: "چنین زبانی نیست.",
  noTheme: "چنین ظاهری نیست.",
} satisfies Translation<typeof english>;
