import type { errors as english } from "../en/errors.ts";
import type { Translation } from "../translation.ts";

export const errors = {
  notFoundTab: "صفحه پیدا نشد",
  notFound: "چنین صفحه‌ای پیدا نشد.",
  notFoundHelp: "شاید حذف شده یا نشانی‌اش درست نوشته نشده باشد. <link>رفتن به همهٔ نوشته‌ها</link>",
  forbidden: "شما به این صفحه دسترسی ندارید.",
  forbiddenHelp:
    "این صفحه از آنِ شخص دیگری یا گردانندگان سایت است. اگر باید به آن دسترسی داشته باشید، ببینید با حساب درست وارد شده‌اید یا نه. <link>رفتن به همهٔ نوشته‌ها</link>",
  sessionEnded: "از حسابتان خارج شده‌اید.",
  sessionEndedHelp:
    "چیزی ذخیره نشد. <link>در برگه‌ای تازه وارد شوید</link>، به اینجا برگردید و این صفحه را دوباره بارگذاری کنید: مرورگرتان پیشنهاد می‌کند فرم را دوباره بفرستد و چیزی از دست نمی‌رود.",
  sessionEndedTexts: "آنچه فرستادید",
  unavailable: "سایت اکنون در دسترس نیست.",
  unavailableHelp:
    "سایت اکنون مشکلی دارد. چند ثانیهٔ دیگر دوباره امتحان کنید؛ آنچه فرستاده‌اید شاید ذخیره نشده باشد.",
} satisfies Translation<typeof english>;
