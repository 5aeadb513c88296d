import type { siteSettings as english } from "../en/siteSettings.ts";
import type { Translation } from "../translation.ts";

export const siteSettings = {
  intro: "تغییرها بی‌درنگ در همهٔ صفحه‌ها دیده می‌شوند.",
  locked: "این مقدار در محیط سرور تعیین شده ({name}) و این‌جا تغییر نمی‌کند.",
  save: "ذخیرهٔ تنظیمات",
  saving: "در حال ذخیره…",
  saved: "تنظیمات ذخیره شد.",
  nothing: "هیچ",
  label: {
    SITE_NAME: "نام",
    SITE_TAGLINE: "سطر زیر نام",
    SITE_LANGUAGE: "زبان",
    HOME_LAYOUT: "صفحهٔ اول",
    FOOTER_LINKS: "پیوندهای پایین هر صفحه",
    ACCENT_COLOUR: "رنگ پیوندها و امتیازها، روی کاغذ روشن",
    ACCENT_COLOUR_DARK: "همان، روی کاغذ تیره",
    REGISTRATION: "چه کسی می‌تواند ثبت‌نام کند",
    WHO_MAY_WRITE: "چه کسی می‌تواند بنویسد",
  },
  help: {
    WHO_MAY_WRITE:
      "کسانی که چیزی نوشته‌اند همچنان می‌توانند. در «افراد» دیگران را نویسنده می‌کنید یا دعوت می‌کنید.",
    SITE_NAME: "در سربرگ، عنوان صفحه‌ها، خوراک و پیوندهای هم‌رسانی. خالی: Weir.",
    SITE_TAGLINE: "در صفحهٔ اول می‌گوید سایت دربارهٔ چیست.",
    SITE_LANGUAGE: "برای خوانندگانی که مرورگرشان زبان دیگری از زبان‌های سایت را ترجیح نمی‌دهد، و برای خوراک.",
    FOOTER_LINKS: "هر سطر یک پیوند: نام، سپس نشانی، مانند About /posts/about. حداکثر {maximum, number}.",
    ACCENT_COLOUR: "مانند {colour}. خالی: آبی همیشگی.",
  },
  choice: {
    WHO_MAY_WRITE: {
      anyone: "هر کس حساب دارد",
      approved: "کسانی که مدیری نویسنده‌شان کند؛ دیگران می‌توانند درخواست بدهند",
      invited: "کسانی که مدیری دعوتشان کند",
    },
    HOME_LAYOUT: { excerpts: "عنوان و آغاز هر نوشته", titles: "فقط عنوان‌ها" },
    REGISTRATION: {
      open: "همه",
      approval: "همه، پس از تأیید حساب به دست مدیر",
      invitation: "کسانی که دعوت‌نامه دارند",
      closed: "هیچ‌کس",
    },
  },
  fault: {
    SITE_NAME: "نام را در یک سطر و با حداکثر {maximum, number} نویسه بنویسید.",
    SITE_TAGLINE: "یک سطر با حداکثر {maximum, number} نویسه بنویسید.",
    choice: "یکی از این‌ها را انتخاب کنید.",
    footerLine: "«{line}» باید نام و سپس نشانی‌ای داشته باشد که با / یا https:// آغاز شود.",
    footerMany: "حداکثر {maximum, number} پیوند بنویسید.",
    colour: "رنگ را با # و شش رقم یا حرف از a تا f بنویسید، مانند {colour}.",
    contrastLight:
      "روی کاغذ روشن کم‌رنگ‌تر از آن است که خوانده شود: تضاد آن {contrast, number} است و متن به {needed, number} نیاز دارد. نزدیک‌ترین رنگ خوانا {nearest} است.",
    contrastDark:
      "روی کاغذ تیره تیره‌تر از آن است که خوانده شود: تضاد آن {contrast, number} است و متن به {needed, number} نیاز دارد. نزدیک‌ترین رنگ خوانا {nearest} است.",
  },
  mail: {
    title: "ایمیل",
    ready: "راه‌اندازی شده: ایمیل‌ها از نشانی <address></address> فرستاده می‌شوند.",
    noLinks:
      "ایمیل فرستاده می‌شود، اما نه ایمیلی که پیوند دارد، مانند تعیین گذرواژهٔ تازه: نشانی خود سایت (<code>SITE_URL</code>) تعیین نشده است.",
    missing:
      "راه‌اندازی نشده: گذرواژهٔ فراموش‌شده را نمی‌توان از نو تعیین کرد و نویسندگان تنها همین‌جا از سیل‌ها باخبر می‌شوند. محیط سرور به <code>MAIL_URL</code> و <code>MAIL_FROM</code> نیاز دارد.",
    queue: "ایمیل‌های منتظر و خطاها در <link>سامانه</link> هستند.",
  },
  readers: "خوانندگان",
  analytics: "خوانندگان ردیابی نمی‌شوند: سایت بازدیدها را نمی‌شمارد و ابزار آماری برای روشن کردن ندارد.",
} satisfies Translation<typeof english>;
