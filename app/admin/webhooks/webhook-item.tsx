import { Form } from "@/app/_components/form";
import { ChoiceButton, SubmitButton } from "@/app/_components/form-fields";
import { Moment } from "@/app/_components/time";
import { UntilMade } from "@/app/_components/until-made";
import { formatter, translator } from "@/lib/i18n";
import type { ListedWebhook } from "@/lib/webhooks/manage";
import { changeWebhook, saveWebhook } from "./actions";
import { WebhookFields } from "./add-webhook-form";
import { Fault } from "./fault";
import { webhookPath } from "./webhook-path";

/** A webhook with its last result and its actions. */
export function WebhookItem({ webhook }: { webhook: ListedWebhook }) {
  const t = translator("webhooks");
  const { id, url, events, disabledAt } = webhook;
  const isOn = disabledAt === null;
  return (
    <>
      <h2 className="font-medium wrap-anywhere">
        <bdi dir="ltr">{url}</bdi>
      </h2>
      <p className="text-sm text-quiet">{formatter().list(events, { type: "conjunction" })}</p>
      <State webhook={webhook} />
      <p className="mt-1 text-[0.9375rem]">
        <a href={webhookPath(id)}>
          {t.rich("deliveries.link", {
            url: new URL(url).host,
            hidden: (chunks) => <span className="sr-only">{chunks}</span>,
          })}
        </a>
      </p>
      <Form action={changeWebhook.bind(null, id)} className="mt-3">
        <UntilMade
          secret={{ id: `secret-${id}`, label: t("secret"), help: t("copyNowRenewed"), rows: 2 }}
          after={
            <p>
              <a href="/admin/webhooks">{t("finished")}</a>
            </p>
          }
        >
          <div className="flex flex-wrap gap-3">
            {isOn && (
              <ChoiceButton name="change" value="test" pending={t("sending")}>
                {t("test")}
              </ChoiceButton>
            )}
            <ChoiceButton name="change" value={isOn ? "off" : "on"} pending={t("saving")}>
              {isOn ? t("turnOff") : t("turnOn")}
            </ChoiceButton>
            <ChoiceButton name="change" value="renew" pending={t("saving")}>
              {t("renew")}
            </ChoiceButton>
            <ChoiceButton name="change" value="remove" pending={t("saving")}>
              {t("remove")}
            </ChoiceButton>
          </div>
        </UntilMade>
      </Form>
      <details className="mt-3">
        <summary className="cursor-pointer text-[0.9375rem] text-water">{t("change")}</summary>
        <Form action={saveWebhook.bind(null, id)} className="mt-3 flex max-w-lg flex-col gap-5">
          <WebhookFields url={url} events={events} />
          <div>
            <SubmitButton pending={t("saving")}>{t("save")}</SubmitButton>
          </div>
        </Form>
      </details>
    </>
  );
}

/** Whether it is on, and how its last delivery went. */
function State({ webhook }: { webhook: ListedWebhook }) {
  const t = translator("webhooks");
  const { disabledAt, disabledWhy, failingSince, lastAttemptAt, lastResult } = webhook;
  return (
    <div className="mt-2">
      {disabledAt !== null && (
        <p className={disabledWhy === "administrator" ? undefined : "border-s-2 border-amber ps-3"}>
          {t.rich(`state.${disabledWhy ?? "administrator"}`, { time: () => <Moment at={disabledAt} /> })}
        </p>
      )}
      {disabledAt === null && failingSince !== null && (
        <p className="border-s-2 border-amber ps-3">
          {t.rich("state.failing", { time: () => <Moment at={failingSince} /> })}
        </p>
      )}
      <p className="mt-1 text-sm text-quiet">
        {lastAttemptAt === null
          ? t("noneSent")
          : t.rich("last", {
              time: () => <Moment at={lastAttemptAt} />,
              result: () => <Fault saved={lastResult} />,
            })}
      </p>
    </div>
  );
}
