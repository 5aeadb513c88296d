import type { scores as english } from "../en/scores.ts";
import type { Translation } from "../translation.ts";

export const scores = {
  howScoresWork: "امتیازها چگونه حساب می‌شوند",
  chart: {
    score: "امتیاز نهایی",
    average: "میانگین",
    lineEnd: "{name} {stars}",
    tableOf: "{title}، به‌صورت جدول",
    when: "زمان",
    flooded: "در هجوم",
    today: "امروز",
  },
  timeline: {
    heading: "امتیاز نهایی در گذر زمان",
    sentence:
      "{count, plural, other {# امتیاز}} از {since} تا امروز. میانگین همهٔ آن‌ها {average} و امتیاز نهایی {score} است.",
    caption:
      "اگر همهٔ امتیازها یکسان شمرده می‌شدند، میانگین {average} می‌بود. امتیاز نهایی آرام جابه‌جا می‌شود تا هجومی ناگهانی نتواند تکانش دهد: اکنون {score} است.",
    per: {
      day: "امتیازهای هر روز",
      week: "امتیازهای هر هفته",
      month: "امتیازهای هر ماه",
      quarter: "امتیازهای هر سه ماه",
      year: "امتیازهای هر سال",
    },
    flood: "{ratings} در {duration}",
    floodThat: {
      held: "{flood}، هنوز شمرده نشده",
      excluded: "{flood}، کنار گذاشته شده",
      counted: "{flood}، شمرده شده",
    },
    manyFloods:
      "{count, plural, other {# هجوم}} امتیاز، که {held, plural, =0 {هیچ‌یک} other {# مورد}} از آن‌ها در انتظار شمارش {held, plural, =0 {نیست} other {است}}.",
  },
} satisfies Translation<typeof english>;
