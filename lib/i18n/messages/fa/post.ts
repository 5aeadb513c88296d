import type { post as english } from "../en/post.ts";
import type { Translation } from "../translation.ts";

export const post = {
  changed: "ویرایش: <day></day>",
  outOfFive: "{score} از ۵",
  thisPost: "این نوشته",
  edit: "ویرایش",
  activity: "رویدادها",
  done: {
    published: "نوشتهٔ شما منتشر شد.",
    saved: "تغییرهای شما ذخیره شد.",
    deleted: "نوشته حذف شد.",
  },
  delete: {
    open: "حذف…",
    warning: "نوشته همراه با همهٔ امتیازهایش حذف می‌شود و برگشتی در کار نیست.",
    button: "حذف این نوشته",
  },
  score: {
    title: "امتیاز",
    numeral: "{score}<small> از ۵</small>",
    fewRatings: "امتیاز نوشته وقتی نشان داده می‌شود که دست‌کم {count, number} نفر امتیاز داده باشند.",
    settling: "امتیازهای تازه این عدد را آهسته به‌سوی {average} می‌برند.",
    howScoresWork: "امتیازها چگونه حساب می‌شوند",
    everything: "با به حساب آوردن همهٔ امتیازها",
    showEverything: "نمایش با همهٔ امتیازها",
    back: "بازگشت به امتیاز نوشته",
    figures: {
      title: "با عدد و رقم",
      settled: "امتیاز",
      average: "میانگین ساده",
      rank: "امتیاز برای ترتیب فهرست‌ها",
      ratings: "تعداد امتیازها",
    },
  },
} satisfies Translation<typeof english>;
