import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { Minute } from "@/app/_components/time";
import { app } from "@/lib/app";
import { noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { declareNoScripts } from "@/lib/request/current-request";
import { idFromText } from "@/lib/text/id-from-text";
import { currentTime } from "@/lib/time/current-time";
import { deliveryState, type ListedDelivery, listDeliveries } from "@/lib/webhooks/deliveries";
import type { ListedWebhook } from "@/lib/webhooks/manage";
import { AdminFrame, administratorAt } from "../../frame";
import { retryDeliveries } from "../actions";
import { Fault } from "../fault";
import { webhookPath } from "../webhook-path";

export function generateMetadata() {
  return { title: translator("webhooks")("deliveries.title"), robots: { index: false } };
}

const pageLength = 50;
/** A catalogue's key has no dot. */
const eventKeys = {
  "post.published": "published",
  "flood.opened": "opened",
  "flood.decided": "decided",
  "webhook.test": "test",
} as const;
const notices = ["retried", "retry-off"] as const;

/** The deliveries of a webhook, the newest first. */
export default async function DeliveriesPage({ params, searchParams }: PageProps<"/admin/webhooks/[id]">) {
  const id = idFromText((await params).id) ?? 0;
  const { before: last, done } = await searchParams;
  const before = idFromText(last);
  const user = await administratorAt(webhookPath(id, before));
  if (!user) return forbiddenPage();
  const found = await listDeliveries(app(), user, { id, before, limit: pageLength });
  if (found.kind === "forbidden") return forbiddenPage();
  if (found.kind === "nothing-there") return notFoundPage();
  const { webhook, deliveries, next } = found;
  const t = translator("webhooks");
  const notice = await noticeOnce(done, { about: "webhooks", reader: user, now: currentTime() });
  const shown = notices.find((each) => each === notice);
  const isWaiting = webhook.disabledAt === null && deliveries.some(({ dueAt }) => dueAt !== null);
  declareNoScripts();
  return (
    <AdminFrame user={user} page="settings" title={t("deliveries.title")}>
      <p className="mt-2 wrap-anywhere">
        {t.rich("deliveries.to", {
          url: () => (
            <bdi key="url" dir="ltr" className="font-medium">
              {webhook.url}
            </bdi>
          ),
        })}
        {" · "}
        <a href="/admin/webhooks">{t("deliveries.all")}</a>
      </p>
      <p className="mt-3 max-w-prose text-quiet">{t("deliveries.intro")}</p>
      <p role="status" className="mt-4 border-s-2 border-water ps-3 empty:hidden">
        {shown && t(`notice.${shown}`)}
      </p>
      {isWaiting && (
        <Form action={retryDeliveries.bind(null, id)} className="mt-4">
          <SubmitButton pending={t("sending")}>{t("deliveries.retry")}</SubmitButton>
        </Form>
      )}
      {deliveries.length === 0 ? (
        <None webhook={webhook} isFirstPage={before === undefined} />
      ) : (
        <ul className="mt-6 divide-y divide-hairline border-y border-hairline">
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="py-3">
              <Delivery delivery={delivery} />
            </li>
          ))}
        </ul>
      )}
      <PageLinks
        label={t("deliveries.pages")}
        first={before === undefined ? undefined : webhookPath(id)}
        firstText={t("deliveries.first")}
        next={next === null ? null : webhookPath(id, next)}
        nextText={t("deliveries.older")}
      />
    </AdminFrame>
  );
}

/** The empty list, with the next step. */
function None({ webhook, isFirstPage }: { webhook: ListedWebhook; isFirstPage: boolean }) {
  const t = translator("webhooks");
  if (!isFirstPage) return <p className="mt-6">{t("deliveries.noOlder")}</p>;
  return (
    <p className="mt-6 max-w-prose">
      {t.rich(webhook.disabledAt === null ? "deliveries.none" : "deliveries.noneOff", {
        link: (chunks) => <a href="/admin/webhooks">{chunks}</a>,
      })}
    </p>
  );
}

/** A message's event and state, and its attempts. */
function Delivery({ delivery }: { delivery: ListedDelivery }) {
  const t = translator("webhooks");
  const { event, messageId, createdAt, dueAt, finishedAt, attempts, fault } = delivery;
  const state = deliveryState(delivery);
  const hasFailed = fault !== null;
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{t(`deliveries.event.${eventKeys[event]}`)}</span>
        <span className={hasFailed ? "text-amber" : undefined}>{t(`deliveries.state.${state}`)}</span>
      </p>
      <p className="text-sm text-quiet">
        <Minute at={createdAt} />
        {" · "}
        {t("deliveries.attempts", { count: attempts })}
        {finishedAt !== null && state !== "waiting" && (
          <>
            {" · "}
            {t.rich(`deliveries.finished.${state}`, { time: () => <Minute key="time" at={finishedAt} /> })}
          </>
        )}
      </p>
      {hasFailed && (
        <p className="text-sm">
          {t.rich("deliveries.last", { result: () => <Fault key="result" saved={fault} /> })}
        </p>
      )}
      {dueAt !== null && (
        <p className="text-sm">
          {t.rich("deliveries.next", { time: () => <Minute key="time" at={dueAt} /> })}
        </p>
      )}
      <p className="text-sm text-quiet wrap-anywhere">
        <bdi dir="ltr">{messageId}</bdi>
      </p>
    </>
  );
}
