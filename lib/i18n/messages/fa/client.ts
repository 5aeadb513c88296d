import type { client as english } from "../en/client.ts";
import type { Translation } from "../translation.ts";

export const client = {
  nothingLost: "چیزی از آنچه نوشته‌اید از دست نرفته است.",
  siteUpdated:
    "در این میان سایت به‌روز شده است. {kept} آنچه لازم دارید کپی کنید و سپس صفحه را دوباره بارگذاری کنید.",
  serverFailed: "خطایی در سرور رخ داد. {kept} چند لحظهٔ دیگر دوباره امتحان کنید.",
  unreachable: "ارتباط با سرور برقرار نشد. {kept} چند لحظهٔ دیگر دوباره امتحان کنید.",
  loggedOut:
    "دیگر وارد حسابتان نیستید. {kept} در برگه‌ای تازه وارد شوید، به اینجا برگردید و دوباره امتحان کنید.",
  logIn: "ورود",
  retryIn: "{wait} دیگر می‌توانید دوباره امتحان کنید.",
  retryNow: "اکنون می‌توانید دوباره امتحان کنید.",
} satisfies Translation<typeof english>;
