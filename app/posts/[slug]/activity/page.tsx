import type { Metadata } from "next";
import { ForgetParameter } from "@/app/_components/forget-parameter";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { PostTitle } from "@/app/_components/post-title";
import { Section } from "@/app/_components/section";
import { currentApp } from "@/lib/app";
import { noticeOnce, pageUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { lacksFloodMails } from "@/lib/mail/choices";
import { activityPath, postPath, textFromPath } from "@/lib/paths";
import { type ActivitySpan, activityOf } from "@/lib/ratings/decisions/activity";
import { declareNoScripts, isFormForbidden } from "@/lib/request/current-request";
import { env } from "@/lib/settings/env";
import { currentTime } from "@/lib/time/current-time";
import { movedOrMissing } from "../moved";
import { DecisionLog } from "./decision-log";
import { FloodWindows } from "./flood-windows";
import { Latest } from "./latest";
import { Overview } from "./overview";
import { Shadows } from "./shadows";

export function generateMetadata(): Metadata {
  return { title: translator("activity")("title"), robots: { index: false } };
}

const spans: readonly ActivitySpan[] = ["hour", "day", "month", "all"];

export default async function ActivityPage({ params, searchParams }: PageProps<"/posts/[slug]/activity">) {
  const slug = textFromPath((await params).slug);
  if (slug === null) return notFoundPage();
  const path = activityPath(slug);
  const user = await pageUser(path);
  if (!user || isFormForbidden()) return forbiddenPage();
  const { span: spanName = "day", decided, already, before } = await searchParams;
  const span = spans.find((name) => name === spanName);
  if (!span) return notFoundPage();
  const now = currentTime();
  const context = await currentApp(now);
  const outcome = await activityOf(context, { slug, user, span, now });
  if (outcome.kind === "forbidden") return forbiddenPage();
  if (outcome.kind === "no-such-post") return movedOrMissing(slug, "/activity");
  const { title, lang, isAuthor, decisions, activity } = outcome;
  // Only floods have forms.
  if (outcome.windows.length === 0) declareNoScripts();
  const t = translator("activity");
  return (
    <>
      <p className="text-sm text-quiet">
        <a href={postPath(slug)}>
          <PostTitle title={title} lang={lang} />
        </a>
      </p>
      <h1 className="page-title mt-1">{t("title")}</h1>
      <p className="mt-3 text-quiet">{t("intro", { days: env.ATTEMPTS_KEPT_DAYS })}</p>
      <FloodWindows
        slug={slug}
        {...outcome}
        lacksMails={isAuthor && (await lacksFloodMails(context, user.id))}
        notice={{
          decided: await noticeOnce(decided, { about: `decided ${slug}`, reader: user, now }),
          already: await noticeOnce(already, { about: `already ${slug}`, reader: user, now }),
        }}
        before={Number(before ?? Number.NaN)}
      />
      <ForgetParameter name="decided" />
      <ForgetParameter name="already" />
      <DecisionLog decisions={decisions} />
      <Section title={t("attempts.title")}>
        <nav id="attempts" aria-label={t("attempts.span")} className="tabs scroll-mt-4">
          {spans.map((each) => (
            <a
              key={each}
              href={`${path}?span=${each}#attempts`}
              aria-current={each === span ? "page" : undefined}
            >
              {t(`attempts.${each}`)}
            </a>
          ))}
        </nav>
        <Overview slug={slug} activity={activity} isAuthor={isAuthor} />
      </Section>
      {user.isAdministrator && <Shadows activity={activity} />}
      <Latest activity={activity} showsTrials={user.isAdministrator} />
    </>
  );
}
