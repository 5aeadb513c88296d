import type { Metadata } from "next";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { currentApp } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { readNotice } from "@/lib/auth/notice";
import { activityPath, postPath, textFromPath } from "@/lib/paths";
import { type ActivitySpan, activityOf } from "@/lib/ratings/decisions/activity";
import { env } from "@/lib/settings/env";
import { currentTime } from "@/lib/time/current-time";
import { DecisionLog } from "./decision-log";
import { FloodWindows } from "./flood-windows";
import { Latest } from "./latest";
import { Overview } from "./overview";
import { Shadows } from "./shadows";

export const metadata: Metadata = { title: "Activity", robots: { index: false } };

const spanNames: [ActivitySpan, string][] = [
  ["hour", "Last hour"],
  ["day", "Last day"],
  ["month", "Last 30 days"],
  ["all", "All"],
];

export default async function ActivityPage({ params, searchParams }: PageProps<"/posts/[slug]/activity">) {
  const slug = textFromPath((await params).slug);
  if (slug === null) return notFoundPage();
  const path = activityPath(slug);
  const user = await requireUser(path);
  const { span: spanName = "day", decided, already, before } = await searchParams;
  const [span] = spanNames.find(([name]) => name === spanName) ?? [];
  if (!span) return notFoundPage();
  const now = currentTime();
  const outcome = await activityOf(await currentApp(now), { slug, user, span, now });
  if (outcome.kind === "forbidden") return forbiddenPage();
  if (outcome.kind === "no-such-post") return notFoundPage();
  const { title, isAuthor, decisions, activity } = outcome;
  return (
    <>
      <p className="text-sm text-quiet">
        <a href={postPath(slug)}>
          <bdi>{title}</bdi>
        </a>
      </p>
      <h1 className="page-title mt-1">Activity</h1>
      <p className="mt-3 text-quiet">
        Only the post’s author and administrators can see this page, and moderators after a flood. Times are
        UTC. Tries to rate are kept for {env.ATTEMPTS_KEPT_DAYS}{" "}
        {env.ATTEMPTS_KEPT_DAYS === 1 ? "day" : "days"}.
      </p>
      <FloodWindows
        slug={slug}
        {...outcome}
        notice={{
          decided: readNotice(decided, { about: `decided ${slug}`, reader: user, now }),
          already: readNotice(already, { about: `already ${slug}`, reader: user, now }),
        }}
        before={Number(before ?? Number.NaN)}
      />
      <DecisionLog decisions={decisions} />
      <Section title="Tries to rate this post">
        <nav id="tries" aria-label="Span" className="scroll-mt-4 flex flex-wrap gap-5 text-[0.9375rem]">
          {spanNames.map(([each, name]) => (
            <a
              key={each}
              href={`${path}?span=${each}#tries`}
              aria-current={each === span ? "page" : undefined}
              className="py-1 text-quiet aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {name}
            </a>
          ))}
        </nav>
        <Overview slug={slug} activity={activity} isAuthor={isAuthor} />
      </Section>
      <Shadows activity={activity} />
      <Latest activity={activity} />
    </>
  );
}
