import type { reading as english } from "../en/reading.ts";
import type { Translation } from "../translation.ts";

export const reading = {
  title: "خواندن و نوشتن",
  saved: {
    title: "برای بعد",
    intro: "این فهرست را فقط شما می‌بینید.",
    none: "هنوز نوشته‌ای برای بعد نگه نداشته‌اید. زیر هر نوشته دکمهٔ «نگه داشتن برای بعد» هست. <link>نوشته‌ای پیدا کنید</link>",
    save: "نگه داشتن برای بعد",
    saving: "در حال ذخیره…",
    remove: "برداشتن از فهرست «برای بعد»",
    removeShort: "برداشتن",
    removePost: "برداشتن {title}",
    removing: "در حال برداشتن…",
    isSaved: "این نوشته در فهرست <link>برای بعد</link> است.",
    byOn: "<name></name> · نگه‌داشته‌شده در <day></day>",
    full: "{maximum, number} نوشته برای بعد نگه داشته‌اید و بیش از این ممکن نیست. در صفحهٔ حسابتان «برای بعد» را باز کنید و چندتایی را بردارید.",
  },
  rated: {
    title: "نوشته‌هایی که به آن‌ها امتیاز داده‌اید",
    intro: "تازه‌ترین امتیازتان اول می‌آید. این فهرست را فقط شما می‌بینید.",
    none: "هنوز به نوشته‌ای امتیاز نداده‌اید. زیر هر نوشته ستاره‌هایی برای انتخاب هست. <link>نوشته‌ای پیدا کنید</link>",
    starsOn: "{count, plural, other {# ستاره}} · <day></day>",
    counted: "شمرده می‌شود",
    held: "هنوز شمرده نمی‌شود: در یک <link>سیل امتیاز</link> رسید.",
    excluded: "شمرده نمی‌شود: در یک <link>سیل امتیاز</link> رسید که کنار گذاشته شد.",
    waiting:
      "هنوز شمرده نمی‌شود: حساب شما تازه است و این امتیاز از <moment></moment> (به وقت جهانی) شمرده می‌شود.",
    more: "امتیازهای پیشین",
  },
  archive: {
    title: "بایگانی",
    years: "همهٔ نوشته‌ها به ترتیب سال.",
    year: "سال {year} میلادی",
    ofYear: "نوشته‌های سال {year} میلادی",
    month: "{month} {year}",
    none: "هنوز نوشته‌ای نیست.",
    count: "{count, plural, other {# نوشته}}",
    all: "همهٔ سال‌ها",
  },
  tag: { title: "نوشته‌های با برچسب {name}", posts: "نوشته‌هایی که این برچسب را دارند", list: "برچسب‌ها:" },
  nearby: { title: "نوشته‌های دیگر", related: "نوشته‌های مرتبط", newer: "نوشتهٔ بعدی", older: "نوشتهٔ قبلی" },
  share: {
    link: "پیوند این نوشته",
    copy: "کپی پیوند",
    copied: "پیوند کپی شد.",
    share: "هم‌رسانی…",
    mail: "فرستادن با ایمیل",
  },
} satisfies Translation<typeof english>;
