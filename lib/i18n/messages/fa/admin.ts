import type { admin as english } from "../en/admin.ts";
import type { Translation } from "../translation.ts";

export const admin = {
  title: "مدیریت",
  moderationTitle: "بررسی",
  navigation: "ادارهٔ سایت",
  pages: {
    tasks: "منتظر تصمیم",
    people: "افراد",
    posts: "نوشته‌ها",
    decisions: "تصمیم‌ها",
    settings: "تنظیمات",
    system: "سامانه",
  },
  tasks: {
    none: "چیزی منتظر تصمیم نیست.",
    accounts: "حساب‌های تازهٔ منتظر تأیید",
    accountsCount:
      "{count, plural, one {# حساب منتظر است} other {# حساب منتظرند}}. تا زمانی که تصمیم بگیرید، {count, plural, one {نمی‌تواند} other {نمی‌توانند}} امتیاز بدهد یا بنویسد.",
    accountsLink: "دیدن حساب‌های منتظر",
    reviews: "درخواست‌های بازبینی",
    floods: "نگه‌داشته‌شده",
    floodsHelp:
      "در سیل امتیازها، آنچه بیش از حد معمول یک نوشته باشد نگه داشته می‌شود: وقتی شما آن را بپذیرید یا پس از مدتی به حساب می‌آید.",
    floodsOff: "سیل تازه‌ای باز نمی‌شود، چون <code>RATING_FLOODS</code> برابر <code>count</code> است.",
    mayBeMore: "شاید بیشتر هم باشد: این‌ها {count, number} مورد آخرند.",
  },
  review: {
    label: "{title}، سیل {number}",
    facts: {
      held: "{count, plural, one {# امتیاز} other {# امتیاز}} نگه‌داشته‌شده، <span></span>. میانگین: {without} بدون آن، {withIt} با آن.",
      counted:
        "{count, plural, one {# امتیاز} other {# امتیاز}} به‌حساب‌آمده، <span></span>. میانگین: {without} بدون آن، {withIt} با آن.",
      excluded:
        "{count, plural, one {# امتیاز} other {# امتیاز}} کنارگذاشته‌شده، <span></span>. میانگین: {without} بدون آن، {withIt} با آن.",
    },
    noAverage: "هیچ",
    request: "<name></name>، نویسنده، در <time></time>: <why></why>",
    yours: "این نوشتهٔ شماست: شخص دیگری تصمیم می‌گیرد.",
  },
  flood: {
    number: "سیل {number}",
    stillGoingOn: "<span></span>، هنوز ادامه دارد",
    heldUntil: "نگه‌داشته تا <time></time>",
    ratings: "{count, plural, one {امتیاز} other {امتیاز}}",
  },
  decisions: {
    intro: "سیل‌هایی که درباره‌شان تصمیم گرفته شده، و اینکه چه کسی چه چیزی را چرا تغییر داده است.",
    excluded: "کنارگذاشته‌شده",
    noneExcluded: "هیچ سیلی کنار گذاشته نشده است.",
    counted: "تازه به‌حساب‌آمده",
    noneCounted: "هیچ سیلی به حساب نیامده است.",
    log: "دفتر تصمیم‌ها",
    logHelp: "تصمیم‌ها دربارهٔ سیل‌ها، تغییر حساب‌ها و نقش‌ها، و دعوت‌ها. فقط مدیران آن را می‌بینند.",
    noneLogged: "هنوز تصمیمی گرفته نشده و چیزی تغییر نکرده است.",
    noOlder: "چیزی قدیمی‌تر نیست.",
    pages: "صفحه‌های دفتر",
    newest: "تازه‌ترین‌ها",
    older: "قدیمی‌ترها",
  },
  log: {
    disable: "غیرفعال شد: <names></names>",
    enable: "فعال شد: <names></names>",
    "make-administrator": "مدیر شد: <names></names>",
    "remove-administrator": "دیگر مدیر نیست: <names></names>",
    "make-moderator": "ناظر شد: <names></names>",
    "remove-moderator": "دیگر ناظر نیست: <names></names>",
    approve: "تأیید شد: <names></names>",
    reject: "رد شد: <names></names>",
    delete: "حذف شد، با حق تصمیم دربارهٔ سیل‌ها: <names></names>",
    "make-invitation": "دعوت‌نامه ساخته شد",
    "use-invitation": "با دعوت‌نامه ثبت‌نام کرد: <names></names>",
    "withdraw-invitation": "دعوت‌نامه پس گرفته شد",
    "end-sessions": "از همه‌جا یا یک نشست خارج شد: <names></names>",
    counted: "سیل {number} ({count, plural, one {# امتیاز} other {# امتیاز}}) در <post></post> پذیرفته شد",
    excluded:
      "سیل {number} ({count, plural, one {# امتیاز} other {# امتیاز}}) در <post></post> کنار گذاشته شد",
    more: "{count, number} نفر دیگر",
    deleted: "{count, plural, one {یک حساب حذف‌شده} other {# حساب حذف‌شده}}",
    line: "<time></time> · <who></who>",
    lineWithReason: "<time></time> · <who></who>: <why></why>",
    by: {
      name: "به دست <name></name>",
      administrator: "به دست حسابی حذف‌شده",
      operator: "به دست گردانندهٔ سرور",
      owner: "به دست صاحبش",
      server: "به دست سرور، چون هیچ مدیر دیگری نمی‌توانست وارد شود",
      upgrade: "با به‌روزرسانی سرور",
      unknown: "به دست گردانندهٔ سرور یا حسابی حذف‌شده",
    },
    takenOut: "{count, plural, one {# امتیاز} other {# امتیاز}} از امتیاز نوشته‌ها کنار رفت.",
    takenOutSoFar:
      "تا اینجا {count, number} از {all, plural, one {# امتیاز} other {# امتیاز}} از امتیاز نوشته‌ها کنار رفته است.",
    restored: "{count, plural, one {# امتیاز} other {# امتیاز}} بازگردانده شد.",
    restoredSoFar:
      "تا اینجا {count, number} از {all, plural, one {# امتیاز} other {# امتیاز}} بازگردانده شده است.",
  },
} satisfies Translation<typeof english>;
