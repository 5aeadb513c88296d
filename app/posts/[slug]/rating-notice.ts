/** The notice on the post's page after the reader's last action on the own rating. */
import { type NoticeReader, readNotice, signedNotice } from "@/lib/auth/notice";
import { postPath } from "@/lib/paths";

interface RatingNoticeContext {
  slug: string;
  reader: NoticeReader;
  now: number;
}

/** The post's page, with a notice about the reader's rating. */
export function ratedPath(notice: string, context: RatingNoticeContext): string {
  return `${postPath(context.slug)}?rating=${signedNotice(notice, noticeContext(context))}#your-rating`;
}

/** The notice in the page's address; undefined when there is none for this reader. */
export function readRatingNotice(value: unknown, context: RatingNoticeContext): string | undefined {
  return readNotice(value, noticeContext(context));
}

function noticeContext({ slug, reader, now }: RatingNoticeContext) {
  return { about: `rating ${slug}`, reader, now };
}
