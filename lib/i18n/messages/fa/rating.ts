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
  unsaved: "{count, plural, other {# ستاره}} هنوز ذخیره نشده است. کلید Enter را بزنید یا",
  kept: "انتخابتان همین‌جا مانده است.",
  notSent: "دوباره ستاره‌ها را انتخاب کنید.",
  chooseFirst: "نخست شمار ستاره‌ها را انتخاب کنید.",
  saved: {
    counted: "{count, plural, other {# ستاره}} به حساب آمد",
    uncounted: "{count, plural, other {# ستاره}} ذخیره شد",
    withdrawn: "امتیازتان پس گرفته شد",
    slow: "امتیاز {count, number} شما به حساب آمد. امتیاز نوشته‌ها در اینجا آهسته جابه‌جا می‌شود تا هجومی ناگهانی نتواند آن را بالا و پایین کند.",
  },
  notCounted: {
    newAccount:
      "هنوز به حساب نیامده است: حساب شما تازه است و امتیازتان از <moment></moment> (به وقت جهانی) به حساب می‌آید.",
  },
  visitor:
    "برای امتیاز دادن <logIn>وارد شوید</logIn> یا <register>ثبت‌نام کنید</register>. اگر نخست اینجا ستاره‌ها را انتخاب کنید، همان هنگام ذخیره می‌شوند.",
  keptChoice:
    "همین که وارد شوید، امتیازتان ({count, plural, other {# ستاره}}) ذخیره می‌شود، مگر آنکه پیش‌تر به این نوشته امتیاز داده باشید.",
  loggedOut: "دیگر وارد حسابتان نیستید و امتیازتان ذخیره نشد.",
  postDeleted: "این نوشته در این میان حذف شده است و امتیازتان ذخیره نشد.",
  changedMeanwhile: "امتیازتان هم‌زمان در برگهٔ دیگری تغییر کرد. دوباره ستاره‌ها را انتخاب کنید.",
} satisfies Translation<typeof english>;
