import type { limits as english } from "../en/limits.ts";
import type { Translation } from "../translation.ts";

export const limits = {
  text: "{algorithm}: {summary}",
  algorithm: {
    "leaky-bucket": "سطل سوراخ",
    "token-bucket": "سطل ژتون",
    gcra: "GCRA",
    "fixed-window": "پنجرهٔ ثابت",
    "sliding-log": "فهرست لغزان",
    "sliding-window-counter": "شمارندهٔ پنجرهٔ لغزان",
    tiered: "پلکانی",
    ema: "EMA",
  },
  summary: {
    burst: "{count, number} تا یکجا، سپس {rate}",
    perSecond: "{count, number} تا در ثانیه",
    every: "یکی در هر {period}",
    perPeriod: "{count, number} تا در هر {period}",
    aDay: "{count, number} تا در روز ({timeZone})",
    inAny: "{count, number} تا در هر بازه‌ای به طول {period}",
    aboutInAny: "حدود {count, number} تا در هر بازه‌ای به طول {period}",
    free: "{count, number} تا در روز آزاد ({timeZone})، سپس {beyond}",
    tooFast:
      "آنچه را که بسیار تندتر از معمول برسد رد می‌کند (بالاتر از Z = {threshold, number})؛ طی {time} با سرعت ده‌برابر سازگار می‌شود",
    tooFastWithFloor:
      "آنچه را که بسیار تندتر از معمول برسد (بالاتر از Z = {threshold, number}) و از {count, number} مورد یکجا به‌علاوهٔ {rate} بیشتر شود رد می‌کند؛ طی {time} با سرعت ده‌برابر سازگار می‌شود",
    period:
      "{unit, select, day {{count, number} روز} hour {{count, number} ساعت} minute {{count, number} دقیقه} other {{count, number} ثانیه}}",
    duration:
      "{unit, select, day {{count, number} روز} hour {{count, number} ساعت} minute {{count, number} دقیقه} other {{count, number} ثانیه}}",
  },
  forReaders: {
    tooFast:
      "امتیازهایی را که بسیار تندتر از معمول برسند رد می‌کند؛ سرعتِ ده‌برابر پس از {time} معمول به شمار می‌آید",
    tooFastWithFloor:
      "امتیازهایی را که بسیار تندتر از معمول برسند و از {count, number} مورد یکجا به‌علاوهٔ {rate} بیشتر شوند رد می‌کند؛ سرعتِ ده‌برابر پس از {time} معمول به شمار می‌آید",
  },
} satisfies Translation<typeof english>;
