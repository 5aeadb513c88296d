import type { rating as english } from "../en/rating.ts";
import type { Translation } from "../translation.ts";

export const rating = {
  yourRating: "امتیاز شما",
  ratePost: "به این نوشته امتیاز دهید",
  stars: "{count, plural, other {# ستاره}}",
  rate: "ثبت امتیاز",
  update: "تغییر امتیاز",
  withdraw: "پس گرفتن امتیاز",
  undo: "برگرداندن",
  saving: "در حال ذخیره…",
  unsaved: "{count, plural, other {# ستاره}} هنوز ذخیره نشده است. کلید Enter یا دکمهٔ زیر را بزنید.",
  kept: "انتخابتان همین‌جا مانده است.",
  notSent: "ارتباط با سرور برقرار نشد. دوباره ستاره‌ها را انتخاب کنید.",
  chooseFirst: "اول تعداد ستاره‌ها را انتخاب کنید.",
  saved: {
    counted: "{count, plural, other {# ستاره}} شمرده شد",
    uncounted: "{count, plural, other {# ستاره}} ذخیره شد",
    withdrawn: "امتیازتان پس گرفته شد",
    slow: "امتیاز {count, number} شما شمرده شد. امتیاز نهایی نوشته‌ها اینجا آرام جابه‌جا می‌شود، پس هجوم ناگهانی تکانش نمی‌دهد.",
  },
  notCounted: {
    newAccount:
      "هنوز شمرده نمی‌شود: حساب شما تازه است و امتیازتان از <moment></moment> (به وقت جهانی) شمرده می‌شود.",
  },
  visitor:
    "برای امتیاز دادن <logIn>وارد شوید</logIn> یا <register>ثبت‌نام کنید</register>. ستاره‌هایی که اینجا انتخاب کنید پس از ورود ذخیره می‌شوند.",
  keptChoice:
    "همین که وارد شوید، امتیازتان ({count, plural, other {# ستاره}}) ذخیره می‌شود. اگر پیش‌تر به این نوشته امتیاز داده‌اید، آن وقت انتخاب می‌کنید که عوضش کنید یا نه.",
  keptForAccount: "همین که حسابتان ساخته شود، امتیازتان ({count, plural, other {# ستاره}}) ذخیره می‌شود.",
  loggedOut: "از حسابتان خارج شده‌اید؛ امتیازتان ذخیره نشد.",
  postDeleted: "این نوشته در این میان حذف شده است و امتیازتان ذخیره نشد.",
  changedMeanwhile: "امتیازتان هم‌زمان در برگهٔ دیگری تغییر کرد. دوباره ستاره‌ها را انتخاب کنید.",
} satisfies Translation<typeof english>;
