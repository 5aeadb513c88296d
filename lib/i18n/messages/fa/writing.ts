import type { writing as english } from "../en/writing.ts";
import type { Translation } from "../translation.ts";

export const writing = {
  newPageTitle: "نوشتن",
  newTitle: "نوشتهٔ تازه",
  editPageTitle: "ویرایش",
  editTitle: "ویرایش نوشته",
  publish: "انتشار",
  publishing: "در حال انتشار…",
  save: "ذخیره",
  saving: "در حال ذخیره…",
  form: {
    title: "عنوان",
    content: "متن",
    contentHelp:
      "با مارک‌داون: <code>## سرفصل</code>، <code>*تأکید*</code>، <code>**پررنگ**</code>، <code>[پیوند](https://…)</code>، <code>- فهرست</code>، <code>> نقل‌قول</code> و جدول. حداکثر {maximum, number} نویسه.",
    titleTooLong: "عنوانتان {length} نویسه دارد و حداکثر {maximum, number} نویسه جا می‌شود؛ کوتاهش کنید.",
    contentTooLong:
      "متنتان {length} نویسه دارد و حداکثر {maximum, number} نویسه جا می‌شود؛ کوتاهش کنید یا دو نوشته از آن بسازید. چیزی از آن بریده نمی‌شود.",
    kept: "متنتان هنوز همین‌جاست.",
    restored: "این متن ذخیره‌نشدهٔ شما از {moment} است.",
    found: "متن ذخیره‌نشده‌ای از {moment} دارید که با متن این صفحه فرق دارد.",
    show: "نمایش متن ذخیره‌نشده",
    discard: "دور انداختن متن ذخیره‌نشده",
    notStored: "این مرورگر نمی‌تواند رونوشتی از متنتان نگه دارد. پیش از بستن صفحه، آن را ذخیره یا منتشر کنید.",
  },
  forbidden:
    "دیگر نمی‌توانید این نوشته را تغییر دهید. متنتان هنوز همین‌جاست؛ پیش از ترک این صفحه از آن رونوشت بردارید.",
  deleted:
    "این نوشته در این میان پاک شده است. متنتان هنوز همین‌جاست؛ پیش از ترک این صفحه از آن رونوشت بردارید.",
  tooLarge: {
    title: "این متن بلندتر از آن است که فرستاده شود",
    reason:
      "چیزی ذخیره نشد. هر بار حداکثر {megabytes} می‌توان فرستاد و هر نوشته برای {maximum, number} نویسه جا دارد.",
    help: "به صفحهٔ قبل برگردید: مرورگرتان باید متنتان را هنوز در فرم داشته باشد. اول از آن رونوشتی در جای امنی بردارید، سپس کوتاهش کنید یا چند نوشته از آن بسازید.",
  },
} satisfies Translation<typeof english>;
