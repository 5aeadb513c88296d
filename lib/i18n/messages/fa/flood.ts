import type { flood as english } from "../en/flood.ts";
import type { Translation } from "../translation.ts";

const score =
  "{score, plural, =0 {صفر} =1 {یک ستاره} =2 {دو ستاره} =3 {سه ستاره} =4 {چهار ستاره} other {پنج ستاره}}";

const peak = `{all, plural, =1 {این امتیاز ${score} است} other {از این # امتیاز، {count, number} تا ${score} است}}`;

export const flood = {
  title: "سیل {number, number}: {count, number} امتیاز در {duration}",
  titleAtOnce: "سیل {number, number}: {count, number} امتیاز در یک لحظه",
  status: {
    held: "هنوز شمرده نشده",
    counted: "شمرده‌شده",
    excluded: "کنار گذاشته شده",
  },
  goingOn: "هنوز ادامه دارد",
  usual: {
    minute: "معمولاً در هر دقیقه حدود {count, number} امتیاز می‌رسد.",
    hour: "معمولاً در هر ساعت حدود {count, number} امتیاز می‌رسد.",
    day: "معمولاً در هر روز حدود {count, number} امتیاز می‌رسد.",
    month: "معمولاً در هر ماه حدود {count, number} امتیاز می‌رسد.",
  },
  peak: `${peak}؛ {others, plural, =1 {تنها امتیاز دیگر این نوشته چنین {found, plural, =0 {نیست} other {است}}} other {در میان # امتیاز دیگر {found, plural, =0 {هیچ‌کدام چنین نیست} other {# تا چنین است}}}}.`,
  peakAlone: `${peak}. این نوشته امتیاز دیگری ندارد.`,
  withdrawn: "{count, number} امتیاز دیگر هم رسیده بود که پس گرفته شده است.",
  allWithdrawn: "از آن پس همهٔ آن‌ها پس گرفته شده است.",
  effect: {
    held: "هنوز شمرده نمی‌شوند: امتیاز نهایی <b>{score}</b> است. اگر شمرده شوند، به سوی <b>{other}</b> می‌رود.",
    excluded: "شمرده نمی‌شوند: امتیاز نهایی <b>{score}</b> است. اگر شمرده شوند، به سوی <b>{other}</b> می‌رود.",
    counted: "شمرده می‌شوند: امتیاز نهایی <b>{score}</b> است. بدون آن‌ها به سوی <b>{other}</b> می‌رود.",
    uncountedAlone: "شمرده نمی‌شوند. این نوشته هنوز امتیاز نهایی ندارد؛ با آن‌ها به سوی <b>{other}</b> می‌رود.",
    countedAlone: "شمرده می‌شوند: امتیاز نهایی <b>{score}</b> است. بدون آن‌ها این نوشته امتیاز نهایی نمی‌داشت.",
  },
  next: {
    held: "اگر تصمیمی گرفته نشود، از <time></time> شمرده می‌شوند.",
    open: "اگر تصمیمی گرفته نشود، از <time></time> شمرده می‌شوند؛ یا زودتر، همین که به امتیازهای دیگر این نوشته شبیه شوند.",
  },
  decided: {
    likeOthers:
      "{dated, select, yes {در {date} } other {}}به‌طور خودکار شمرده شدند: ترکیب ستاره‌هایشان مانند امتیازهای دیگر این نوشته است.",
    unlikeOthers:
      "{dated, select, yes {در {date} } other {}}از شمارش بیرون رفتند: ترکیب ستاره‌هایشان دیگر مانند امتیازهای دیگر این نوشته نیست.",
    time: "{dated, select, yes {در {date} } other {}}به‌طور خودکار شمرده شدند: تا جای ممکن منتظر مانده بودند و کسی تصمیمی نگرفته بود.",
    counted: "<by></by> {dated, select, yes {در {date} } other {}}آن‌ها را شمرد.",
    countedWhy: "<by></by> {dated, select, yes {در {date} } other {}}آن‌ها را شمرد: <why></why>",
    excluded: "<by></by> {dated, select, yes {در {date} } other {}}آن‌ها را کنار گذاشت.",
    excludedWhy: "<by></by> {dated, select, yes {در {date} } other {}}آن‌ها را کنار گذاشت: <why></why>",
  },
  aPerson: "یک نفر",
  deletedAccount: "حسابی که حذف شده است",
  suggestion: {
    excluded: "پیشنهاد: آن‌ها را کنار بگذارید.",
    counted: "پیشنهاد: آن‌ها را بشمارید.",
    unclear: "پیشنهادی نیست: نشانهٔ روشنی در هیچ‌یک از دو سو نیست.",
  },
  reason: {
    oneScore: `{share, number, percent} آن‌ها ${score} است، بسیار بیشتر از امتیازهای دیگر.`,
    newAccounts: "بیشتر حساب‌هایشان در یک روز ساخته شده است.",
    oneNetwork: "بیشترشان از یک شبکه آمده‌اند.",
    likeOthers: "ترکیب ستاره‌هایشان مانند امتیازهای دیگر این نوشته است.",
  },
  authorHint:
    "لازم نیست کاری بکنید: ناظران این سیل را می‌بینند. اگر می‌دانید این امتیازها از کجا آمده‌اند، درخواست بازبینی بدهید و آن را بنویسید.",
  mailOffer: "اگر می‌خواهید در چنین موقعی ایمیل بگیرید، <link>آن را در حساب خود انتخاب کنید</link>.",
  preview: {
    stays: "امتیاز نهایی {score} می‌ماند.",
    moves: "امتیاز نهایی فعلاً {score} می‌ماند و آرام‌آرام در حدود {duration} به {average} می‌رسد.",
    movesTo: "امتیاز نهایی به سوی {average} می‌رود.",
    none: "نوشته امتیاز نهایی نخواهد داشت.",
  },
  options: "تصمیم‌هایی که یک مدیر یا ناظر می‌تواند بگیرد:",
  choice: {
    excluded: "کنار گذاشتن",
    excluding: "در حال کنار گذاشتن…",
    stayExcluded: "کنار گذاشته بماند",
    counted: "شمردن",
    counting: "در حال شمردن…",
    stayCounted: "شمرده بماند",
  },
  change: "تغییر این تصمیم",
  why: "دلیل",
  whyHelp: "جمله‌ای که همهٔ خوانندگان در صفحهٔ نوشته، همراه با نام و نقش شما می‌بینند.",
  notice: {
    alreadyDecided: "در این میان شخص دیگری دربارهٔ این سیل تصمیم گرفت؛ برای همین چیزی تغییر نکرد.",
    alreadyTime: "در این میان مهلت تصمیم دربارهٔ این سیل تمام شد؛ برای همین چیزی تغییر نکرد.",
    counted: "این امتیازها اکنون شمرده می‌شوند.",
    excluded: "این امتیازها اکنون کنار گذاشته شده‌اند.",
  },
  review: {
    byAuthor: "نویسنده در <time></time> درخواست بازبینی داد: <why></why>",
    byYou: "شما در <time></time> درخواست بازبینی دادید: <why></why> یک مدیر یا ناظر تصمیم می‌گیرد.",
    request: "درخواست بازبینی",
    submitting: "در حال فرستادن…",
    reason: "دلیل",
    reasonHelp:
      "بنویسید دربارهٔ این امتیازها چه می‌دانید و آیا باید شمرده شوند. مدیران و ناظران آن را می‌خوانند و یکی از آن‌ها تصمیم می‌گیرد.",
  },
  otherDecides:
    "نویسنده پس از آغاز این سیل به شما نقش داده است؛ برای همین مدیر یا ناظر دیگری باید تصمیم بگیرد.",
  role: {
    author: "نویسنده",
    authorAdministrator: "نویسنده، که جز او کسی نمی‌توانست تصمیم بگیرد",
    moderator: "یک ناظر",
    administrator: "یک مدیر",
    unknown: "یک نفر",
    named: "<name></name>، {role}",
  },
  more: "بیشتر دربارهٔ این امتیازها",
  spread: {
    label: "امتیازهای سیل {number, number} بر پایهٔ ستاره",
    stars: "ستاره",
    flood: "این سیل",
    others: "بقیه",
  },
  accounts: {
    label: "حساب‌های سیل {number, number} بر پایهٔ سن",
    age: "روزهای گذشته از ساخت حساب",
    under: "کمتر از {days, number}",
    between: "{from, number} تا {to, number}",
    over: "{days, number} یا بیشتر",
    note: "سن حساب‌ها هنگام امتیاز دادن، برای تازه‌ترین امتیازدهندگان. حساب‌های بسیاری با یک سن، در حالی که حساب‌های دیگران همه‌جور سنی دارند، نشانهٔ کارزار است. یک حساب تازه به‌تنهایی نشانهٔ چیزی نیست.",
    network:
      "{count, number} از {all, number} امتیاز از یک شبکه آمده است؛ از امتیازهای دیگر این نوشته، {others, number} از {allOthers, number}.",
    networkAlone: "{count, number} از {all, number} امتیاز از یک شبکه آمده است.",
    sameDay:
      "{count, number} از {all, number} حساب در یک روز ساخته شده است؛ از حساب‌های دیگر امتیازدهندگان این نوشته، {others, number} از {allOthers, number}.",
    sameDayAlone: "{count, number} از {all, number} حساب در یک روز ساخته شده است.",
    networkNote:
      "شبکه گستره‌ای از نشانی‌های اینترنتی است: یک مدرسه، یک شرکت یا یک اپراتور تلفن همراه هم می‌تواند یک شبکه باشد. در چند روز، بزرگ‌ترین شبکه‌های هر روز با هم جمع می‌شوند.",
  },
  raters: {
    title: "چه کسانی این امتیازها را داده‌اند",
    latest: "تازه‌ترین {count, number} امتیاز.",
    who: "چه کسی",
    stars: "ستاره",
    when: "زمان",
    since: "عضو از",
    unknown: "نامعلوم",
    onlyNewest:
      "امتیازدهندگان این سیل فهرست نشده‌اند: این فهرست حداکثر برای {count, number} سیلِ یک نوشته هست: نخست سیل‌های بدون تصمیم نهایی، سپس تازه‌ترین‌ها.",
  },
  marker: {
    held: "<days></days>: {count, number} امتیاز در یک سیل رسید. هنوز {count, plural, =1 {شمرده نمی‌شود} other {شمرده نمی‌شوند}}.",
    excluded: "<days></days>: {count, number} امتیاز در یک سیل رسید و کنار گذاشته شد.",
    excludedBy: "<days></days>: {count, number} امتیاز در یک سیل رسید و {role} آن را کنار گذاشت.",
    others: "و {count, number} سیل دیگر",
    what: "سیل چیست؟",
  },
  decisions: {
    label: "تصمیم‌ها دربارهٔ سیل‌ها",
    counted: "{count, number} امتیازِ <days></days> با تصمیم <by></by> در <time></time> شمرده شد.",
    countedWhy:
      "{count, number} امتیازِ <days></days> با تصمیم <by></by> در <time></time> شمرده شد: <why></why>",
    excluded: "{count, number} امتیازِ <days></days> با تصمیم <by></by> در <time></time> کنار گذاشته شد.",
    excludedWhy:
      "{count, number} امتیازِ <days></days> با تصمیم <by></by> در <time></time> کنار گذاشته شد: <why></why>",
    earlier: "و {count, number} تصمیم پیشین.",
  },
  ratingStatus: {
    held: "این امتیاز {count, plural, =1 {بسیار تندتر از معمول رسیده است} other {یکی از # امتیازی است که بسیار تندتر از معمول رسیده‌اند}}، پس هنوز شمرده نمی‌شود. از <time></time> شمرده می‌شود، مگر آنکه ناظری تصمیم دیگری بگیرد.",
    excluded:
      "شمرده نمی‌شود: {count, plural, =1 {بسیار تندتر از معمول رسیده و کنار گذاشته شده است} other {یکی از # امتیازی است که بسیار تندتر از معمول رسیده‌اند و کنار گذاشته شده‌اند}}. می‌توانید دوباره امتیاز بدهید.",
    counted:
      "این امتیاز {count, plural, =1 {بسیار تندتر از معمول رسیده است} other {یکی از # امتیازی است که بسیار تندتر از معمول رسیده‌اند}}، و شمرده می‌شود.",
  },
  yours: {
    title: "امتیازهای شما که در سیل رسیده‌اند",
    intro:
      "در سیل، یک امتیاز (اغلب صفر) بسیار بیشتر از معمول داده می‌شود. این امتیازها منتظر می‌مانند تا ناظری تصمیم بگیرد یا مهلتشان تمام شود.",
    rating: "{score, number} ستاره برای <post></post>",
  },
  undecidedFloods: {
    label: "سیل‌ها",
    own: "{count, number} امتیاز بسیار تندتر از معمول به <post></post> رسید و هنوز شمرده نمی‌شود: <why>ببینید چرا</why>.",
    ownOpen:
      "امتیازها بسیار تندتر از معمول به <post></post> می‌رسند: تا اینجا {count, number}. هنوز شمرده نمی‌شوند: <why>ببینید چرا</why>.",
    needed: "سیلی از {count, number} امتیاز برای <post></post> به تصمیم نیاز دارد.",
    ownMany: "{count, number} سیل امتیاز به نوشته‌های شما رسیده است.",
    ownMost: "بیش از {count, number} سیل امتیاز به نوشته‌های شما رسیده است.",
    neededMany: "{count, number} سیل امتیاز منتظر رسیدگی است.",
    neededMost: "بیش از {count, number} سیل امتیاز منتظر رسیدگی است.",
    look: "نگاه کنید",
    title: "سیل‌های امتیاز در نوشته‌های شما",
    until: "اگر تصمیمی گرفته نشود، از <time></time> شمرده می‌شوند.",
  },
} satisfies Translation<typeof english>;
