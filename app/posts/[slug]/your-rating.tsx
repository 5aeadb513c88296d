import { ConfirmEmailFirst } from "@/app/_components/confirm-email-first";
import { ForgetParameter } from "@/app/_components/forget-parameter";
import type { RatingNotice } from "@/app/_components/rating-notice";
import { RatingStatus } from "@/app/_components/rating-status";
import { Moment } from "@/app/_components/time";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { app } from "@/lib/app";
import { formatter, translator } from "@/lib/i18n";
import type { Locale } from "@/lib/i18n/locale";
import type { ReadPost } from "@/lib/posts";
import type { ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import { scores } from "@/lib/ratings/score/score";
import { currentLocale } from "@/lib/request/current-request";
import type { User } from "@/lib/users";
import { mustConfirmEmail } from "@/lib/users/participation";
import { rateByForm, rateInPlace, withdrawByForm } from "./actions";
import { RatingForm, type RatingFormTexts } from "./rating-form";
import { ratingTexts } from "./rating-texts";
import { VisitorStars } from "./visitor-stars";

interface YourRatingProps {
  post: ReadPost;
  user: User | null;
  windows: readonly ShownWindow[];
  /** The notice about the last action on the reader's rating. */
  notice: RatingNotice | undefined;
  /** The choice in the page's address, from before the reader logged in. */
  chosen: number | null;
}

/** The reader's own rating: give, change, withdraw, and whether it counts. */
export function YourRating({ post, user, windows, notice, chosen }: YourRatingProps) {
  const t = translator("rating");
  if (!user)
    return (
      <>
        {notice === "logged-out" && (
          <p role="status" className="mb-1">
            {t("loggedOut")}
          </p>
        )}
        <VisitorStars slug={post.slug} />
      </>
    );
  if (user.isPending || mustConfirmEmail(app(), user))
    return (
      <>
        {user.isPending ? <WaitingForApproval /> : <ConfirmEmailFirst user={user} />}
        {chosen !== null && <p className="mt-4 max-w-prose">{t("choiceNotSaved", { count: chosen })}</p>}
      </>
    );
  const { slug, myScore } = post;
  return (
    <>
      <h2 className="section-title mb-1">{t(post.myRating ? "yourRating" : "ratePost")}</h2>
      <RatingForm
        rateByForm={rateByForm.bind(null, slug)}
        withdrawByForm={withdrawByForm.bind(null, slug)}
        rateInPlace={rateInPlace.bind(null, slug)}
        myScore={myScore}
        chosen={chosen}
        notice={notice && notice !== "logged-out" ? ratingTexts(notice, myScore) : undefined}
        standing={<Standing rating={post.myRating} windows={windows} />}
        texts={formTexts()}
      />
      <ForgetParameter name="rating" />
      <ForgetParameter name="stars" />
    </>
  );
}

/** Whether the reader's rating counts, and from when it will. */
function Standing({ rating, windows }: { rating: ReadPost["myRating"]; windows: readonly ShownWindow[] }) {
  const t = translator("rating");
  if (rating === null) return null;
  const { countsFrom } = rating;
  if (countsFrom !== null)
    return (
      <p className="text-quiet">
        {t.rich("notCounted.newAccount", { moment: () => <Moment key="moment" at={countsFrom} /> })}
      </p>
    );
  const window = windows.find(({ number }) => number === rating.window);
  return window ? <RatingStatus window={window} /> : null;
}

const textsByLocale = new Map<Locale, RatingFormTexts>();

function formTexts(): RatingFormTexts {
  const locale = currentLocale();
  const texts = textsByLocale.get(locale) ?? newFormTexts();
  textsByLocale.set(locale, texts);
  return texts;
}

function newFormTexts(): RatingFormTexts {
  const t = translator("rating");
  return {
    yourRating: t("yourRating"),
    stars: scores.map((count) => t("stars", { count })),
    zero: formatter().number(0),
    rate: t("rate"),
    update: t("update"),
    withdraw: t("withdraw"),
    undo: t("undo"),
    saving: t("saving"),
    unsaved: scores.map((count) => t("unsaved", { count })),
    kept: t("kept"),
  };
}
