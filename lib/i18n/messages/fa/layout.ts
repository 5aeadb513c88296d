import type { layout as english } from "../en/layout.ts";
import type { Translation } from "../translation.ts";

export const layout = {
  skipToContent: "رفتن به متن",
  siteNavigation: "سایت",
  write: "نوشتن",
  ownPosts: "نوشته‌هایم",
  requestToWrite: "درخواست نوشتن",
  admin: "مدیریت",
  moderation: "نظارت",
  yourAccount: "حساب شما،",
  logOut: "خروج",
  logIn: "ورود",
  register: "ثبت‌نام",
  howScoresWork: "امتیاز نهایی چگونه حساب می‌شود",
  archive: "بایگانی",
  feed: "خوراک",
  subscribe: "نوشته‌های تازه با ایمیل",
  privacy: "حریم خصوصی",
  language: "زبان",
  theme: { name: "رنگ‌ها", light: "روشن", dark: "تیره", device: "مانند دستگاه" },
} satisfies Translation<typeof english>;
