import { Form } from "@/app/_components/form";
import { RatingFate } from "@/app/_components/rating-fate";
import { Moment } from "@/app/_components/time";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { postPath } from "@/lib/paths";
import type { readPost } from "@/lib/posts";
import type { ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import type { User } from "@/lib/users";
import { createRatingOf, updateRatingOf, withdrawRatingOf } from "./actions";
import { RatingForm } from "./rating-form";

interface YourRatingProps {
  post: NonNullable<Awaited<ReturnType<typeof readPost>>>;
  user: User | null;
  windows: readonly ShownWindow[];
  /** The notice about the last action on the reader's rating. */
  notice: string | undefined;
}

/** The reader's own rating: give, change, withdraw, and whether it counts. */
export function YourRating({ post, user, windows, notice }: YourRatingProps) {
  if (!user)
    return (
      <>
        {notice === "logged-out" && (
          <p role="status" className="mb-1">
            You are no longer logged in, so your rating was not saved.
          </p>
        )}
        <p>
          <a href={`/login?next=${encodeURIComponent(postPath(post.slug))}`}>Log in</a> to rate this post.
        </p>
      </>
    );
  if (user.isPending) return <WaitingForApproval />;
  const action = post.myRating ? updateRatingOf : createRatingOf;
  const window = windows.find(({ number }) => number === post.myRating?.window);
  const isThere = post.myRating !== null || notice === "withdrawn" || notice === "gone";
  const text = isThere ? noticeTexts.get(notice) : undefined;
  return (
    <>
      <h2 className="section-title mb-1">{post.myRating ? "Your rating" : "Rate this post"}</h2>
      {window && <RatingFate window={window} />}
      {post.myRating?.countsFrom != null && (
        <p className="mb-1 text-sm text-quiet">
          Not counted yet: your account is new, so your rating counts from{" "}
          <bdi dir="ltr">
            <Moment at={post.myRating.countsFrom} />
          </bdi>{" "}
          on.
        </p>
      )}
      <RatingForm
        key={post.myRating ? `${post.myRating.updatedAt} ${post.myScore}` : "none"}
        action={action.bind(null, post.slug)}
        myScore={post.myScore}
        notice={text}
      />
      {post.myRating && (
        <Form action={withdrawRatingOf.bind(null, post.slug)} className="mt-3">
          <button type="submit" className="link-button text-sm">
            Withdraw rating
          </button>
        </Form>
      )}
    </>
  );
}

const noticeTexts = new Map<string | undefined, string>([
  ["saved", "Your rating is saved."],
  ["held", "Your rating is saved."],
  ["withdrawn", "Your rating is withdrawn."],
  ["already", "You have rated this post already, perhaps in another tab. Nothing was changed."],
  ["gone", "Your rating was gone, perhaps withdrawn in another tab. Nothing was saved."],
]);
