/** The notice on the post's page after the reader's last action on the own rating. */
import { type NoticeReader, readNotice, signedNotice } from "@/lib/auth/notice";
import { postPath } from "@/lib/paths";

/** The result of the rating; `slow`: it counts, and the shown score is as before. */
export type RatingNotice = (typeof notices)[number];

/** A notice about a rating that was saved or withdrawn. */
export type RatedNotice = Exclude<RatingNotice, "logged-out">;

const notices = ["counted", "slow", "uncounted", "withdrawn", "logged-out"] as const;

interface RatingNoticeContext {
  slug: string;
  reader: NoticeReader;
  now: number;
}

/** The post's page, with a notice about the reader's rating. */
export function ratedPath(notice: RatingNotice, context: RatingNoticeContext): string {
  return `${postPath(context.slug)}?rating=${signedNotice(notice, noticeContext(context))}#your-rating`;
}

/** The notice in the page's address; undefined when there is none for this reader. */
export function readRatingNotice(value: unknown, context: RatingNoticeContext): RatingNotice | undefined {
  const notice = readNotice(value, noticeContext(context));
  return notices.find((each) => each === notice);
}

function noticeContext({ slug, reader, now }: RatingNoticeContext) {
  return { about: `rating ${slug}`, reader, now };
}
