import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { type NoticeContext, signedNotice } from "@/lib/auth/notice";

/** Shows an action's own page again, with a signed notice in its address. */
export function showNotice(
  notice: string,
  context: NoticeContext,
  pathWith: (signed: string) => string,
): never {
  // A redirect to the page's own address would leave it as it was.
  refresh();
  return redirect(pathWith(signedNotice(notice, context)));
}
