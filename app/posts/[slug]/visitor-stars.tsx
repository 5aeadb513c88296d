import { app } from "@/lib/app";
import { formatter, translator } from "@/lib/i18n";
import { logInPath, postPath, registerPath } from "@/lib/paths";
import { scores } from "@/lib/ratings/score/score";
import { scriptNonce } from "@/lib/request/current-request";
import { StarFace } from "./star-face";

/**
 * The stars for a visitor: a choice leads to the log-in, which saves it.
 * A script of their own (`public/post.js`) keeps the page when the server cannot be reached.
 */
export function VisitorStars({ slug }: { slug: string }) {
  const t = translator("rating");
  const next = `${postPath(slug)}#your-rating`;
  return (
    <>
      <h2 className="section-title mb-1">{t("ratePost")}</h2>
      <script src="/post.js" async nonce={scriptNonce()} />
      <form id="visitor-stars" method="post" action={`${postPath(slug)}/stars`} data-failure={t("notSent")}>
        <fieldset aria-label={t("ratePost")} className="-ms-2 flex">
          {scores.map((score) => (
            <button
              key={score}
              type="submit"
              name="score"
              value={score}
              aria-label={t("stars", { count: score })}
              title={t("stars", { count: score })}
              className={`rating-choice ${score === 0 ? "rating-choice-zero" : "rating-choice-star"}`}
            >
              <StarFace score={score} zero={formatter().number(0)} />
            </button>
          ))}
        </fieldset>
        <p role="status" className="text-sm text-wrong" />
      </form>
      <p className="mt-2 text-sm text-quiet">
        {t.rich(app().registration.mode === "closed" ? "visitorClosed" : "visitor", {
          logIn: (chunks) => (
            <a key="logIn" href={logInPath(next)}>
              {chunks}
            </a>
          ),
          register: (chunks) => (
            <a key="register" href={registerPath(next)}>
              {chunks}
            </a>
          ),
        })}
      </p>
    </>
  );
}
