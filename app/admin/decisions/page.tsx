import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { currentApp } from "@/lib/app";
import { auditLog } from "@/lib/audit-log";
import { translator } from "@/lib/i18n";
import { windowsForDeciders } from "@/lib/ratings/decisions/flood-window-decisions";
import { scoreFrom } from "@/lib/ratings/score/score";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, adminMetadata, deciderAt } from "../frame";
import { WindowList } from "../window-list";
import { Log, logPlaceFrom } from "./log";

export function generateMetadata() {
  return adminMetadata("decisions");
}

/** Floods that were decided on; for administrators also the log. */
export default async function DecisionsPage({ searchParams }: PageProps<"/admin/decisions">) {
  const user = await deciderAt("/admin/decisions");
  if (!user) return forbiddenPage();
  declareNoScripts();
  const t = translator("admin");
  const context = await currentApp(currentTime());
  const windows = await windowsForDeciders(context, user);
  if (windows.kind === "forbidden") return forbiddenPage();
  const excluded = windows.excluded.filter(({ window }) => scoreFrom(window.counts).count > 0);
  const before = logPlaceFrom((await searchParams).before);
  return (
    <AdminFrame user={user} page="decisions">
      <p className="mt-3 text-quiet">{t("decisions.intro")}</p>
      <Section title={t("decisions.excluded")}>
        <WindowList rows={excluded} none={t("decisions.noneExcluded")} />
      </Section>
      <Section title={t("decisions.counted")}>
        <WindowList rows={windows.counted} none={t("decisions.noneCounted")} />
      </Section>
      {user.isAdministrator && (
        <Section title={t("decisions.log")} id="log">
          <p className="mb-4 text-sm text-quiet">{t("decisions.logHelp")}</p>
          <Log {...(await auditLog(context, user, before))} before={before} />
        </Section>
      )}
    </AdminFrame>
  );
}
