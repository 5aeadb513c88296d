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
  featured: "برگزیده",
  unpublished: {
    label: "منتشرنشده",
    by: "مدیر سایت این نوشته را از انتشار درآورده است: {why}",
    seen: "این نوشته را فقط نویسنده‌اش و مدیران می‌بینند.",
    help: "کاری که می‌توانید بکنید: متن را تغییر دهید و سپس از مدیر بخواهید دوباره منتشرش کند؛ یا نوشته را حذف کنید.",
  },
  delete: {
    open: "حذف…",
    warning: "نوشته همراه با همهٔ امتیازهایش حذف می‌شود و برگشتی در کار نیست.",
    button: "حذف این نوشته",
  },
  score: {
    title: "امتیاز نهایی",
    numeral: "{score}<small> از ۵</small>",
    fewRatings: "امتیاز نهایی وقتی نشان داده می‌شود که دست‌کم {count, number} نفر امتیاز داده باشند.",
    settling: "امتیازهای تازه این عدد را آهسته به‌سوی {average} می‌برند.",
    howScoresWork: "امتیاز نهایی چگونه حساب می‌شود",
    everything: "با شمردن همهٔ امتیازها",
    showEverything: "نمایش با شمردن همهٔ امتیازها",
    back: "بازگشت به امتیاز نهایی",
    figures: {
      title: "با عدد و رقم",
      settled: "امتیاز نهایی",
      average: "میانگین ساده",
      rank: "امتیاز نهایی برای ترتیب فهرست‌ها",
      ratings: "تعداد امتیازها",
    },
  },
} satisfies Translation<typeof english>;
