import type { Metadata } from "next";
import { notFoundPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { PostTitle } from "@/app/_components/post-title";
import { Day, Moment } from "@/app/_components/time";
import { currentApp } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { sentCursor } from "@/lib/paging/sent-cursor";
import { postPath } from "@/lib/paths";
import { listOwnRatings, type RatedPost } from "@/lib/ratings/own-ratings";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { AccountLink } from "../account-link";

const path = "/account/ratings";
const pageSize = 50;

export function generateMetadata(): Metadata {
  return { title: translator("reading")("rated.title"), robots: { index: false } };
}

/** The posts that the user has rated, each with whether the rating counts. */
export default async function RatingsPage({ searchParams }: PageProps<"/account/ratings">) {
  const user = await requireUser(path);
  declareNoScripts();
  const cursor = sentCursor((await searchParams).cursor);
  const page = await listOwnRatings(await currentApp(currentTime()), { user, cursor, limit: pageSize });
  if (!page) return notFoundPage();
  const t = translator("reading");
  return (
    <>
      <AccountLink />
      <h1 className="page-title">{t("rated.title")}</h1>
      <p className="mt-3 mb-8 text-quiet">{t("rated.intro")}</p>
      {page.items.length === 0 && !cursor ? (
        <p className="border-y border-hairline py-8 text-quiet">
          {t.rich("rated.none", { link: (text) => <a href="/">{text}</a> })}
        </p>
      ) : (
        <ul className="rows">
          {page.items.map((rating) => (
            <Rating key={rating.id} rating={rating} />
          ))}
        </ul>
      )}
      <PageLinks
        first={cursor && path}
        next={page.nextCursor && `${path}?cursor=${page.nextCursor}`}
        nextText={t("rated.more")}
      />
    </>
  );
}

function Rating({ rating }: { rating: RatedPost }) {
  const { slug, title, lang, score, at } = rating;
  const t = translator("reading");
  return (
    <li>
      <div>
        <a href={`${postPath(slug)}#your-rating`}>
          <PostTitle title={title} lang={lang} />
        </a>
        <p>{t.rich("rated.starsOn", { count: score, day: () => <Day key="day" at={at} /> })}</p>
        <p>
          <State rating={rating} />
        </p>
      </div>
    </li>
  );
}

/** Whether a rating counts, and why not. */
function State({ rating: { status, countsFrom } }: { rating: RatedPost }) {
  const t = translator("reading");
  if (countsFrom !== null)
    return t.rich("rated.waiting", { moment: () => <Moment key="moment" at={countsFrom} /> });
  if (status !== "held" && status !== "excluded") return t("rated.counted");
  const link = (text: React.ReactNode) => <a href="/how-scores-work">{text}</a>;
  const state = t.rich(`rated.${status}`, { link });
  return status === "held" ? <span className="text-amber">{state}</span> : state;
}
