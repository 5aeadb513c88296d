import type { home as english } from "../en/home.ts";
import type { Translation } from "../translation.ts";

export const home = {
  posts: "نوشته‌ها",
  tagline: "نوشته‌هایی برای خواندن، با امتیازهایی که می‌شود به آن‌ها اعتماد کرد.",
  promise:
    "خواننده‌ها به هر نوشته امتیاز می‌دهند. امتیازها اینجا آرام جابه‌جا می‌شوند و هجوم ناگهانی تکانشان نمی‌دهد. <link>ببینید چطور</link>",
  order: "ترتیب",
  sort: { newest: "تازه‌ترین", top: "بهترین", "most-rated": "پرامتیازترین" },
  search: "جست‌وجو",
  searchPosts: "جست‌وجو در نوشته‌ها",
  searched: "جست‌وجو: {search}",
  pages: "صفحه‌ها",
  firstPage: "صفحهٔ نخست",
  morePosts: "نوشته‌های بیشتر",
  readingTime: "{minutes, number} دقیقه",
  youGave: "امتیاز شما: {score, number}",
  empty: {
    title: "هنوز چیزی اینجا نوشته نشده است.",
    write:
      "نخستین نوشته را شما بنویسید: یک عنوان و متنی به زبان Markdown. پس از آن، خوانندگانی که ثبت‌نام کنند می‌توانند به آن امتیاز بدهند.",
    writeButton: "نوشتن نخستین نوشته",
    logIn: "برای نوشتن نخستین نوشته وارد شوید.",
    logInButton: "ورود",
    register: "برای شروع یک حساب بسازید؛ نخستین حساب از آنِ مدیر سایت است. سپس نخستین نوشته را بنویسید.",
    registerButton: "ساختن نخستین حساب",
    demo: "اگر می‌خواهید وبلاگی پر از نوشته و امتیاز را ببینید، این یکی را متوقف کنید و <code>npm run demo</code> را اجرا کنید.",
  },
  nothingFound:
    "هیچ نوشته‌ای همهٔ این‌ها را ندارد: <search></search>. واژه‌های کمتری بنویسید، یا فقط آغاز یک واژه را.",
} satisfies Translation<typeof english>;
