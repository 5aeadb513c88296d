import type { failure as english } from "../en/failure.ts";
import type { Translation } from "../translation.ts";

export const failure = {
  title: "اینجا خطایی رخ داد.",
  help: "سایت نتوانست این صفحه را نشان دهد. چند لحظهٔ دیگر دوباره امتحان کنید. گردانندهٔ سایت علت را در گزارش سرور می‌بیند.",
} satisfies Translation<typeof english>;
