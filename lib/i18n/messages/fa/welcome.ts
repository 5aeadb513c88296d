import type { welcome as english } from "../en/welcome.ts";
import type { Translation } from "../translation.ts";

export const welcome = {
  title: "سایت شما آماده است",
  intro: "شما مدیر آن هستید. این تنظیمات را اکنون یا بعداً در «مدیریت» ← «تنظیمات» انتخاب کنید.",
  saveAndWrite: "ذخیره و نوشتن نخستین نوشته",
  save: "ذخیره",
  saving: "در حال ذخیره…",
  later: "بعداً",
  done: "سایت راه‌اندازی شده است. <link>تنظیمات</link> آن را هر زمان می‌توانید تغییر دهید.",
} satisfies Translation<typeof english>;
