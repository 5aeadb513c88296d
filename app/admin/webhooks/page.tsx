import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { app } from "@/lib/app";
import { noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { listWebhooks } from "@/lib/webhooks/manage";
import { AdminFrame, administratorAt } from "../frame";
import { AddWebhookForm } from "./add-webhook-form";
import { WebhookItem } from "./webhook-item";

export function generateMetadata() {
  return { title: translator("webhooks")("title"), robots: { index: false } };
}

const notices = ["saved", "on", "off", "removed", "tested", "test-off", "test-busy", "gone"] as const;

/** The programs that get events, and the form for another one. */
export default async function WebhooksPage({ searchParams }: PageProps<"/admin/webhooks">) {
  const user = await administratorAt("/admin/webhooks");
  if (!user) return forbiddenPage();
  const t = translator("webhooks");
  const { done } = await searchParams;
  const notice = await noticeOnce(done, { about: "webhooks", reader: user, now: currentTime() });
  const shown = notices.find((each) => each === notice);
  const webhooks = await listWebhooks(app(), user);
  return (
    <AdminFrame user={user} page="settings" title={t("title")}>
      <p className="mt-3 max-w-prose text-quiet">{t("intro")}</p>
      <p role="status" className="mt-4 border-s-2 border-water ps-3 empty:hidden">
        {shown && t(`notice.${shown}`)}
      </p>
      {webhooks.length > 0 && (
        <ul className="mt-6 divide-y divide-hairline border-y border-hairline">
          {webhooks.map((webhook) => (
            <li key={webhook.id} className="py-5">
              <WebhookItem webhook={webhook} />
            </li>
          ))}
        </ul>
      )}
      <Section title={t("add")}>
        <AddWebhookForm />
      </Section>
    </AdminFrame>
  );
}
