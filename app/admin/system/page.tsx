import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { currentApp } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { overviewFor } from "@/lib/observe/overview";
import { reportNow } from "@/lib/observe/reporting";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, administratorAt, adminMetadata } from "../frame";
import { LimitsSection } from "./limits-section";
import { MailSection } from "./mail-section";
import { NodeTable } from "./node-table";
import { RemovalList } from "./removal-list";
import { ReplayProgress } from "./replay-progress";
import { SlowestRoutes } from "./slowest-routes";
import { Stores } from "./stores";

export function generateMetadata() {
  return adminMetadata("system");
}

export default async function SystemPage() {
  const user = await administratorAt("/admin/system");
  if (!user) return forbiddenPage();
  declareNoScripts();
  const t = translator("adminSystem");
  const now = currentTime();
  const context = await currentApp(now);
  const thisNode = await reportNow(now);
  const overview = await overviewFor(context, user, now);
  if (overview.kind === "forbidden") return forbiddenPage();
  return (
    <AdminFrame user={user} page="system">
      <p className="mt-3 text-quiet">
        {t("intro")} {overview.nodes.length > 1 && t("otherNodes")} {t("timesUtc")}
      </p>
      <Section title={t("limits.title")}>
        <LimitsSection limits={overview.limits} off={overview.off} />
      </Section>
      <Section title={t("replays.title")}>
        <ReplayProgress {...(await context.database.replays.progress())} />
      </Section>
      <Section title={t("removals.title")}>
        <RemovalList removals={await context.database.removals.all()} />
      </Section>
      <Section title={t("mail.title")}>
        <MailSection />
      </Section>
      <Section title={t("nodes.title")}>
        <NodeTable nodes={overview.nodes} thisNode={thisNode} now={now} />
      </Section>
      <Section title={t("stores.title")}>
        <Stores nodes={overview.nodes} limits={overview.limits} />
      </Section>
      <Section title={t("routes.title")}>
        <SlowestRoutes routes={overview.routes} />
      </Section>
    </AdminFrame>
  );
}
