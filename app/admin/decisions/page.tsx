import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { currentApp } from "@/lib/app";
import { auditLog } from "@/lib/audit-log";
import { translator } from "@/lib/i18n";
import { sentCursor } from "@/lib/paging/sent-cursor";
import { windowsForDeciders } from "@/lib/ratings/decisions/flood-window-decisions";
import type { DecidedStatus } from "@/lib/ratings/floods/flood-window";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, adminMetadata, deciderAt } from "../frame";
import { WindowList } from "../window-list";
import { Log, logPlaceFrom } from "./log";

const path = "/admin/decisions";
/** Floods in each list on a page. */
const pageSize = 8;

export function generateMetadata() {
  return adminMetadata("decisions");
}

/** Floods that were decided on; for administrators also the log. */
export default async function DecisionsPage({ searchParams }: PageProps<"/admin/decisions">) {
  const user = await deciderAt(path);
  if (!user) return forbiddenPage();
  declareNoScripts();
  const t = translator("admin");
  const context = await currentApp(currentTime());
  const sent = await searchParams;
  const before = logPlaceFrom(sent.before);
  const listOf = (status: DecidedStatus) =>
    windowsForDeciders(context, user, { status, limit: pageSize, cursor: sentCursor(sent[status]) });
  const [excluded, counted] = [await listOf("excluded"), await listOf("counted")];
  if (excluded.kind === "forbidden" || counted.kind === "forbidden") return forbiddenPage();
  const linksOf = (status: DecidedStatus, next: string | null) => ({
    first: sentCursor(sent[status]) && `${path}#${status}`,
    next: next && `${path}?${status}=${next}#${status}`,
  });
  return (
    <AdminFrame user={user} page="decisions">
      <p className="mt-3 text-quiet">{t("decisions.intro")}</p>
      <Section title={t("decisions.excluded")} id="excluded">
        <WindowList
          rows={excluded.items}
          none={t("decisions.noneExcluded")}
          {...linksOf("excluded", excluded.nextCursor)}
        />
      </Section>
      <Section title={t("decisions.counted")} id="counted">
        <WindowList
          rows={counted.items}
          none={t("decisions.noneCounted")}
          {...linksOf("counted", counted.nextCursor)}
        />
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
