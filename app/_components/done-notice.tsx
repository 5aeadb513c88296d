/** The short confirmation on the page that an action on a post leads to. */
import { noticeOnce } from "@/lib/auth";
import { type NoticeReader, signedNotice } from "@/lib/auth/notice";
import { translator } from "@/lib/i18n";
import { ForgetParameter } from "./forget-parameter";

const done = ["published", "draft", "scheduled", "saved", "restored", "deleted"] as const;
type Done = (typeof done)[number];

interface DoneContext {
  /** The path of the page. */
  path: string;
  reader: NoticeReader;
  now: number;
}

/** The page's path with the confirmation, for the action's redirect. */
export function donePath(what: Done, { path, reader, now }: DoneContext): string {
  return `${path}?done=${signedNotice(what, { about: `done ${path}`, reader, now })}`;
}

interface DoneNoticeProps extends DoneContext {
  /** The `done` parameter of the page's address. */
  value: unknown;
}

/** The confirmation in the page's address, which a reload does not repeat. */
export async function DoneNotice({ value, path, reader, now }: DoneNoticeProps) {
  const notice = await noticeOnce(value, { about: `done ${path}`, reader, now });
  const what = done.find((each) => each === notice);
  if (!what) return null;
  return (
    <>
      <p role="status" className="mb-6 border-s-2 border-water ps-3">
        {translator("post")(`done.${what}`)}
      </p>
      <ForgetParameter name="done" />
    </>
  );
}
