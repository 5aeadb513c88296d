import { Form } from "@/app/_components/form";
import { Choices, Field, SubmitButton } from "@/app/_components/form-fields";
import { UntilMade } from "@/app/_components/until-made";
import { translator } from "@/lib/i18n";
import { chosenEvents, type ListedWebhook, urlMaximum } from "@/lib/webhooks/manage";
import { addWebhook } from "./actions";

/** The form for a new webhook, replaced by its secret once added. */
export function AddWebhookForm() {
  const t = translator("webhooks");
  return (
    <Form action={addWebhook} className="max-w-lg">
      <UntilMade
        secret={{ id: "new-webhook", label: t("secret"), help: t("copyNow"), rows: 2 }}
        after={
          <p>
            <a href="/admin/webhooks">{t("finished")}</a>
          </p>
        }
      >
        <WebhookFields />
        <div>
          <SubmitButton pending={t("adding")}>{t("addButton")}</SubmitButton>
        </div>
      </UntilMade>
    </Form>
  );
}

/** The fields of a webhook, with its values. */
export function WebhookFields({ url = "", events = [] }: Partial<Pick<ListedWebhook, "url" | "events">>) {
  const t = translator("webhooks");
  return (
    <>
      <Field
        label={t("url")}
        name="url"
        defaultValue={url}
        autoComplete="off"
        maxLength={urlMaximum}
        help={t("urlHelp")}
      />
      <Choices
        legend={t("events")}
        name="events"
        type="checkbox"
        chosen={events.join(" ")}
        choices={chosenEvents.map((event) => ({
          value: event,
          label: (
            <>
              {t(`event.${eventKey(event)}`)} <bdi className="text-sm text-quiet">{`(${event})`}</bdi>
            </>
          ),
        }))}
      />
    </>
  );
}

/** A catalogue's key has no dot. */
function eventKey(event: (typeof chosenEvents)[number]) {
  return { "post.published": "published", "flood.opened": "opened", "flood.decided": "decided" }[event] as
    | "published"
    | "opened"
    | "decided";
}
