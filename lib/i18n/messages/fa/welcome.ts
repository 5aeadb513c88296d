import type { welcome as english } from "../en/welcome.ts";
import type { Translation } from "../translation.ts";

export const welcome = {
  title: "سایت شما آماده است",
  intro: "شما مدیر آن هستید. این تنظیمات را اکنون یا بعداً در «مدیریت» ← «تنظیمات» انتخاب کنید.",
  site: "سایت شما",
  post: "نخستین نوشته",
  postHelp: "اگر می‌خواهید بعداً بنویسید، هر دو را خالی بگذارید. می‌توانید از مارک‌داون استفاده کنید.",
  save: "ذخیره",
  saving: "در حال ذخیره…",
  later: "بعداً",
  onlySettings: "تنظیمات ذخیره شد. نوشته هنوز منتشر نشده است و متنش همین‌جاست.",
  done: "سایت راه‌اندازی شده است. <link>تنظیمات</link> آن را هر زمان می‌توانید تغییر دهید.",
} satisfies Translation<typeof english>;
