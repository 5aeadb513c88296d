import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { latestChanges } from "@/lib/account-changes";
import { currentApp } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { readNotice } from "@/lib/auth/notice";
import { overviewFor } from "@/lib/observe/overview";
import { reportNow } from "@/lib/observe/reporting";
import { type WindowOfPost, windowsForDeciders } from "@/lib/ratings/decisions/flood-window-decisions";
import { requestedReviews } from "@/lib/ratings/decisions/review-requests";
import { scoreFrom } from "@/lib/ratings/score/score";
import { env } from "@/lib/settings/env";
import { currentTime } from "@/lib/time/current-time";
import { moderators } from "@/lib/users/moderators";
import { AccountChanges, changesBefore } from "./account-changes";
import { LimitsSection } from "./limits-section";
import { ModeratorForm } from "./moderator-form";
import { NodeTable } from "./node-table";
import { pendingQueryFrom } from "./pending-query";
import { RegistrationsSection } from "./registrations-section";
import { RemovalList } from "./removal-list";
import { ReplayProgress } from "./replay-progress";
import { ReviewRequests } from "./review-requests";
import { SlowestRoutes } from "./slowest-routes";
import { Stores } from "./stores";
import { WindowList } from "./window-list";

export const metadata: Metadata = { title: "Admin", robots: { index: false } };

/** Leaves out windows whose ratings have all been withdrawn: they need no decision. */
function hasRatings({ window }: WindowOfPost): boolean {
  return scoreFrom(window.counts).count > 0;
}

export default async function AdminPage({ searchParams }: PageProps<"/admin">) {
  const user = await requireUser("/admin");
  if (user.lacksSecondFactor) redirect("/account#two-steps");
  const now = currentTime();
  const context = await currentApp(now);
  const windows = await windowsForDeciders(context, user);
  if (windows.kind === "forbidden") return forbiddenPage();
  const requests = await requestedReviews(context, user);
  const thisNode = await reportNow(now);
  const overview = await overviewFor(context, user, now);
  const parameters = await searchParams;
  const before = changesBefore(parameters.changes);
  const done = readNotice(parameters.done, { about: "approvals", reader: user, now });
  return (
    <>
      <h1 className="page-title">{user.isAdministrator ? "Admin" : "Moderation"}</h1>
      <p className="mt-3 text-quiet">
        {overview.kind === "found" &&
          overview.nodes.length > 1 &&
          "Figures from other nodes are up to fifteen seconds old. "}
        Times are UTC.
      </p>
      <Section title="Requests for a review">
        <ReviewRequests requests={requests} />
      </Section>
      <Section title="Held">
        <p className="mb-4 text-sm text-quiet">
          A flood window has the ratings of a flood that were above the post’s usual ones.
          {env.RATING_FLOODS !== "hold" && env.RATING_OVERFLOW !== "hold" && (
            <>
              {" "}
              No new ones open, since <code>RATING_FLOODS</code> is <code>count</code>.
            </>
          )}
        </p>
        <WindowList rows={windows.held.filter(hasRatings)} none="No flood waits for a decision." />
      </Section>
      {overview.kind === "found" && (
        <>
          <Section title="Moderators" id="moderators">
            <ModeratorForm moderators={await moderators(context)} />
          </Section>
          <RegistrationsSection now={now} query={pendingQueryFrom({ ...parameters, done })} />
          <Section title="Limits">
            <LimitsSection limits={overview.limits} off={overview.off} />
          </Section>
          <Section title="Changes of accounts" id="account-changes">
            <p className="mb-4">
              <a href="/admin/accounts">Disable or enable many accounts</a>
            </p>
            <AccountChanges {...(await latestChanges(context, user, before))} before={before} />
          </Section>
          <Section title="Scores being recalculated">
            <ReplayProgress {...(await context.database.replays.progress())} />
          </Section>
          <Section title="Deletions">
            <RemovalList removals={await context.database.removals.all()} />
          </Section>
          <Section title="Nodes">
            <NodeTable nodes={overview.nodes} thisNode={thisNode} now={now} />
          </Section>
          <Section title="Stores">
            <Stores nodes={overview.nodes} limits={overview.limits} />
          </Section>
          <Section title="Slowest routes">
            <SlowestRoutes routes={overview.routes} />
          </Section>
        </>
      )}
      <Section title="Excluded">
        <WindowList rows={windows.excluded.filter(hasRatings)} none="No flood is excluded." />
      </Section>
      <Section title="Counted recently">
        <WindowList rows={windows.counted} none="No flood has been counted." />
      </Section>
    </>
  );
}
