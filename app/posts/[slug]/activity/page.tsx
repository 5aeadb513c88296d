import type { Metadata } from "next";
import { DecisionCell } from "@/app/_components/decision-cell";
import { durationText } from "@/app/_components/durations";
import { many } from "@/app/_components/figures";
import { IntervalTable } from "@/app/_components/interval-table";
import { levelWords } from "@/app/_components/level-words";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { Scrolled } from "@/app/_components/scrolled";
import { Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { postPath, textFromPath } from "@/lib/paths";
import { type Activity, activityOf, type Span } from "@/lib/ratings/activity";
import { ActivityChart } from "./activity-chart";
import { reasonText, ruleText } from "./reason-text";
import { Shadows } from "./shadows";

export const metadata: Metadata = { title: "Activity", robots: { index: false } };

const spanNames: [Span, string][] = [
  ["hour", "Last hour"],
  ["day", "Last day"],
  ["month", "Last 30 days"],
  ["all", "All"],
];

export default async function ActivityPage({ params, searchParams }: PageProps<"/posts/[slug]/activity">) {
  const slug = textFromPath((await params).slug);
  if (slug === null) return notFoundPage();
  const path = `${postPath(slug)}/activity`;
  const user = await requireUser(path);
  const { span: asked = "day" } = await searchParams;
  const [span] = spanNames.find(([name]) => name === asked) ?? [];
  if (!span) return notFoundPage();
  const outcome = activityOf(app(), { slug, user, span, now: Date.now() });
  if (outcome.kind === "forbidden") return forbiddenPage();
  if (outcome.kind === "no-such-post") return notFoundPage();
  const { title, activity } = outcome;
  return (
    <>
      <p className="text-sm text-quiet">
        <a href={postPath(slug)}>
          <bdi>{title}</bdi>
        </a>
      </p>
      <h1 className="page-title mt-1">Activity</h1>
      <p className="mt-3 text-quiet">Tries to rate this post. Only you can see this page. Times are UTC.</p>
      <nav aria-label="Span" className="mt-6 flex flex-wrap gap-5 text-[0.9375rem]">
        {spanNames.map(([each, name]) => (
          <a
            key={each}
            href={`${path}?span=${each}`}
            aria-current={each === span ? "page" : undefined}
            className="py-1 text-quiet aria-[current]:font-semibold aria-[current]:text-ink"
          >
            {name}
          </a>
        ))}
      </nav>
      <Overview slug={slug} activity={activity} />
      <Shadows activity={activity} />
      <Latest activity={activity} />
    </>
  );
}

function Overview({ slug, activity }: { slug: string; activity: Activity }) {
  const { intervals, intervalMs, latest } = activity;
  const sum = (what: "accepted" | "refused") =>
    intervals.reduce((total, interval) => total + interval[what], 0);
  const tried = intervals.filter(({ accepted, refused }) => accepted + refused > 0);
  const level = levelWords(latest.find(({ policy, reason }) => policy === "rating.post" && reason)?.reason);
  const lab = `/lab?${new URLSearchParams({ trace: "post", post: slug })}`;
  if (tried.length === 0)
    return <p className="mt-8 text-quiet">Nobody has tried to rate this post in this time.</p>;
  return (
    <figure className="mt-6">
      <figcaption className="mb-4 flex flex-wrap gap-x-6 text-[0.9375rem]">
        <span className="text-water">{many(sum("accepted"))} accepted</span>
        <span className="text-amber">{many(sum("refused"))} refused</span>
        <span className="text-quiet">per {durationText(intervalMs)}</span>
      </figcaption>
      <ActivityChart intervals={intervals} intervalMs={intervalMs} level={level} />
      <details className="mt-4 text-sm">
        <summary className="text-quiet">As a table</summary>
        <Scrolled label="Tries over time">
          <IntervalTable
            rows={tried.map((interval) => ({ ...interval, level: interval[level?.nearest ?? "highest"] }))}
            levelName={level?.name}
            when={(from) => <Moment at={from} />}
          />
        </Scrolled>
      </details>
      <p className="mt-4 text-sm">
        <a href={lab}>Try other limits on these attempts</a>
      </p>
    </figure>
  );
}

function Latest({ activity: { latest } }: { activity: Activity }) {
  if (latest.length === 0) return null;
  return (
    <section className="mt-10 border-t border-hairline pt-6">
      <h2 className="section-title mb-2">The latest {latest.length}</h2>
      <Scrolled label="The latest tries">
        <table className="table min-w-[36rem]">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">Stars</th>
              <th scope="col">Decision</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {latest.map((attempt) => (
              <tr key={attempt.id}>
                <td className="whitespace-nowrap">
                  <Moment at={attempt.at} />
                </td>
                <td>{attempt.username ? <bdi>{attempt.username}</bdi> : "deleted account"}</td>
                <td>
                  {attempt.score}
                  {attempt.verb === "update" && " (changed)"}
                </td>
                <DecisionCell allowed={attempt.allowed} />
                <td>
                  {attempt.reason ? (
                    <>
                      <span className="text-quiet">{attempt.policy}: </span>
                      {reasonText(attempt.reason)}
                    </>
                  ) : (
                    ruleText(attempt.policy)
                  )}
                  {attempt.shadows
                    .filter(({ allowed }) => allowed !== attempt.allowed)
                    .map(({ policy, allowed, reason }) => (
                      <span key={policy} className="block">
                        <span className="text-quiet">
                          {policy} in shadow would have {allowed ? "accepted" : "refused"} it:{" "}
                        </span>
                        {reasonText(reason)}
                      </span>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </section>
  );
}
