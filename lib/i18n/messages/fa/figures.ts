import type { figures as english } from "../en/figures.ts";
import type { Translation } from "../translation.ts";

export const figures = {
  notRated: "هنوز امتیازی نگرفته",
  noScore: "هنوز امتیاز نهایی ندارد",
  ratings: "{count, number} امتیاز",
  ratingsAtLeast: "دست‌کم {count, number} امتیاز",
  ratingsSoFar: "تا اینجا {count, number} امتیاز",
  scoreOfRatings: "{score} از ۵ با {count, number} امتیاز",
  asTable: "به‌صورت جدول",
  histogramTitle: "هر تعداد ستاره را چند نفر داده‌اند",
  stars: "ستاره",
  ratingsColumn: "امتیازها",
  from: "از",
  accepted: "پذیرفته",
  held: "بی‌درنگ شمرده‌نشده",
  refused: "ردشده",
  level: "سطح",
} satisfies Translation<typeof english>;
