import type { archive as english } from "../en/archive.ts";
import type { Translation } from "../translation.ts";

export const archive = {
  title: "درون‌ریزی و برون‌بری",
  intro: "همهٔ سایت را با خود ببرید، یا نوشته‌ها را از وبلاگی دیگر بیاورید.",
  export: {
    title: "برون‌بری",
    intro:
      "بایگانی‌ای با همهٔ نوشته‌ها و پیش‌نویس‌ها به صورت Markdown، تصویرها، تنظیم‌ها، کاربران و امتیازها. گذرواژه و تک‌تک امتیازها در آن نیست. جای امنی نگهش دارید: پیش‌نویس‌ها در آن‌اند.",
    emails: "با نشانی ایمیل کاربران",
    button: "دریافت سایت",
    backup: "برای بازگرداندن همین سایت، با <code>npm run backup</code> پشتیبان بگیرید.",
  },
  import: {
    title: "درون‌ریزی",
    intro:
      "نوشته‌ها از پرونده‌های Markdown با سرآغاز YAML، از خروجی JSON در Ghost یا خروجی XML در WordPress، همچنین در بایگانی ZIP همراه با تصویرها. تصویرها تنها از بایگانی می‌آیند. هیچ خواننده‌ای ایمیل نمی‌گیرد.",
    file: "پرونده",
    fileHelp:
      "حداکثر {megabytes, number} مگابایت. پس از یک روز پاک می‌شود. برای بزرگ‌ترها <code>npm run import</code> هست.",
    upload: "بارگذاری",
    afterwards: "تا گزارش را نبینید چیزی ذخیره نمی‌شود.",
  },
  problem: {
    "too-large": "پرونده زیادی بزرگ است. روی سرور فرمان \u2066npm run import\u2069 را به کار ببرید.",
    empty: "اول پرونده‌ای برگزینید.",
    "disk-full": "دیسک سرور پر است.",
    incomplete: "پرونده کامل نرسید. دوباره بارگذاری کنید.",
    running: "درون‌ریزی دیگری در کار است. صبر کنید تا تمام شود.",
    gone: "این بایگانی دیگر نیست: بایگانی‌ها پس از یک روز پاک می‌شوند.",
  },
  run: {
    title: "درون‌ریزی بایگانی",
    format: "بایگانی از این‌جا آمده است",
    formats: { markdown: "پرونده‌های Markdown، یا همین نرم‌افزار", ghost: "Ghost", wordpress: "WordPress" },
    check: "بررسی بایگانی",
    checkAgain: "بررسی دوباره",
    import: "درون‌ریزی نوشته‌ها",
    starting: "در حال آغاز…",
    running: "بایگانی خوانده می‌شود. این صفحه تا پایان کار خودش تازه می‌شود.",
    importing: "نوشته‌ها درون‌ریزی می‌شوند. این صفحه تا پایان کار خودش تازه می‌شود.",
    reload: "تازه‌سازی",
    broken: "کار نیمه‌تمام ماند. دوباره آغاز کنید: نوشته‌هایی که از پیش هستند کنار گذاشته می‌شوند.",
    failed: "بایگانی خوانده نشد.",
    checked: "این‌ها رخ خواهد داد؛ هنوز چیزی ذخیره نشده است.",
    done: "درون‌ریزی تمام شد.",
    counts: {
      "would-import": "{count, plural, one {# نوشته} other {# نوشته}} درون‌ریختنی است",
      imported: "{count, plural, one {# نوشته} other {# نوشته}} درون‌ریزی شد",
      skipped: "{count, number} کنار گذاشته شد",
      failed: "{count, plural, one {# مشکل} other {# مشکل}}",
    },
    authors: "نویسندگان",
    authorsHelp:
      "نوشته‌های هر نویسنده به کدام حساب اینجا برسد. نام کاربری را بنویسید؛ حساب‌ها در صفحهٔ خودشان ساخته می‌شوند.",
    author: "{name} ({posts, plural, one {# نوشته} other {# نوشته}})",
    noAuthor: "بی‌نام نویسنده ({posts, plural, one {# نوشته} other {# نوشته}})",
    report: "آنچه باید ببینید",
    nothing: "چیزی نیاز به رسیدگی ندارد.",
    more: "{count, plural, one {# سطر دیگر} other {# سطر دیگر}} نشان داده نشده است.",
    results: {
      "would-import": "درون‌ریختنی",
      imported: "درون‌ریزی شد",
      skipped: "کنار گذاشته شد",
      failed: "ناممکن",
    },
  },
} satisfies Translation<typeof english>;
