import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { currentApp } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { sentCursor } from "@/lib/paging/sent-cursor";
import { windowsForDeciders } from "@/lib/ratings/decisions/flood-window-decisions";
import { requestedReviews } from "@/lib/ratings/decisions/review-requests";
import { declareNoScripts } from "@/lib/request/current-request";
import { env } from "@/lib/settings/env";
import { isNewSite, welcomePath } from "@/lib/site/welcome";
import { currentTime } from "@/lib/time/current-time";
import { countPendingAccounts } from "@/lib/users/approvals";
import { writingRequests } from "@/lib/users/writers";
import { countFailedWebhooks } from "@/lib/webhooks/manage";
import { AdminFrame, adminMetadata, deciderAt } from "./frame";
import { ReviewRequests } from "./review-requests";
import { WindowList } from "./window-list";

/** Requests, and floods, on a page. */
const pageSize = 10;

export function generateMetadata() {
  return adminMetadata("tasks");
}

/** Work that needs a decision: requests of authors and floods, then accounts. */
export default async function AdminPage({ searchParams }: PageProps<"/admin">) {
  const user = await deciderAt("/admin");
  if (!user) return forbiddenPage();
  declareNoScripts();
  const t = translator("admin");
  const context = await currentApp(currentTime());
  const sent = await searchParams;
  const [cursor, requestCursor] = [sentCursor(sent.floods), sentCursor(sent.reviews)];
  const windows = await windowsForDeciders(context, user, { status: "held", limit: pageSize, cursor });
  if (windows.kind === "forbidden") return forbiddenPage();
  const hasFloods = windows.items.length > 0 || cursor !== undefined;
  const requests = await requestedReviews(context, user, { limit: pageSize, cursor: requestCursor });
  const hasRequests = requests.items.length > 0 || requestCursor !== undefined;
  const waiting = await countPendingAccounts(context, user);
  const writers = (await writingRequests(context, user)).count;
  const failedWebhooks = await countFailedWebhooks(context, user);
  const isNew = user.isAdministrator && (await isNewSite(context));
  const isNothing = waiting + writers + failedWebhooks === 0 && !hasRequests && !hasFloods && !isNew;
  return (
    <AdminFrame user={user} page="tasks" title={user.isAdministrator ? t("title") : t("moderationTitle")}>
      {isNothing && <p className="mt-6 text-lg">{t("tasks.none")}</p>}
      {isNew && (
        <Section title={t("tasks.setUp")}>
          <a href={welcomePath}>{t("tasks.setUpLink")}</a>
        </Section>
      )}
      {hasRequests && (
        <Section title={t("tasks.reviews")} id="reviews">
          <ReviewRequests
            requests={requests.items}
            first={requestCursor && "/admin#reviews"}
            next={requests.nextCursor && `/admin?reviews=${requests.nextCursor}#reviews`}
          />
        </Section>
      )}
      {hasFloods && (
        <Section title={t("tasks.floods")} id="floods">
          <p className="mb-4 text-sm text-quiet">{t("tasks.floodsHelp")}</p>
          <WindowList
            rows={windows.items}
            none={t("tasks.noMoreFloods")}
            first={cursor && "/admin#floods"}
            next={windows.nextCursor && `/admin?floods=${windows.nextCursor}#floods`}
          />
        </Section>
      )}
      {waiting > 0 && (
        <Section title={t("tasks.accounts")}>
          <p>
            {t("tasks.accountsCount", { count: waiting })}{" "}
            <a href="/admin/people#new-accounts">{t("tasks.accountsLink")}</a>
          </p>
        </Section>
      )}
      {writers > 0 && (
        <Section title={t("tasks.writers")}>
          <p>
            {t("tasks.writersCount", { count: writers })}{" "}
            <a href="/admin/people#writers">{t("tasks.writersLink")}</a>
          </p>
        </Section>
      )}
      {failedWebhooks > 0 && (
        <Section title={t("tasks.webhooks")}>
          <p>
            {t("tasks.webhooksCount", { count: failedWebhooks })}{" "}
            <a href="/admin/webhooks">{t("tasks.webhooksLink")}</a>
          </p>
        </Section>
      )}
      {env.RATING_FLOODS !== "hold" && env.RATING_OVERFLOW !== "hold" && (
        <p className="mt-6 text-sm text-quiet">
          {t.rich("tasks.floodsOff", { code: (chunks) => <code>{chunks}</code> })}
        </p>
      )}
    </AdminFrame>
  );
}
