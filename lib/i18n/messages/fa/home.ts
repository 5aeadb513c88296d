import type { home as english } from "../en/home.ts";
import type { Translation } from "../translation.ts";

export const home = {
  posts: "نوشته‌ها",
  tagline: "نوشته‌هایی برای خواندن، با امتیاز نهاییِ قابل اعتماد.",
  promise:
    "خوانندگان به هر نوشته امتیاز می‌دهند. امتیاز نهایی نوشته‌ها آرام جابه‌جا می‌شود، پس هجوم ناگهانی تکانش نمی‌دهد. <link>ببینید چطور</link>",
  order: "ترتیب",
  sort: { newest: "تازه‌ترین", top: "برترین‌ها", "most-rated": "بیشترین امتیازدهنده" },
  search: "جست‌وجو",
  searchPosts: "جست‌وجو در نوشته‌ها",
  searched: "جست‌وجو: {search}",
  pages: "صفحه‌ها",
  firstPage: "صفحهٔ اول",
  morePosts: "نوشته‌های بیشتر",
  readingTime: "{minutes, number} دقیقه",
  youGave: "امتیاز شما: {score, number}",
  empty: {
    title: "هنوز چیزی اینجا نوشته نشده است.",
    write:
      "اولین نوشته را شما بنویسید: یک عنوان و متنی به زبان Markdown. پس از آن، خوانندگانی که ثبت‌نام کنند می‌توانند به آن امتیاز بدهند.",
    writeButton: "نوشتن اولین نوشته",
    logIn: "برای نوشتن اولین نوشته وارد شوید.",
    logInWriters: "اگر می‌توانید اینجا بنویسید، وارد شوید و اولین نوشته را بنویسید.",
    logInButton: "ورود",
    reader: "اولین نوشته همین که منتشر شود در این صفحه دیده می‌شود.",
    register: "برای شروع یک حساب بسازید؛ اولین حساب از آنِ مدیر سایت است. سپس اولین نوشته را بنویسید.",
    registerButton: "ساختن اولین حساب",
    demo: "اگر می‌خواهید وبلاگی پر از نوشته و امتیاز را ببینید، این یکی را متوقف کنید و <code>npm run demo</code> را اجرا کنید.",
  },
  nothingFound: "نوشته‌ای با «<search></search>» پیدا نشد. واژه‌های کمتر، یا فقط آغاز یک واژه را بنویسید.",
} satisfies Translation<typeof english>;
