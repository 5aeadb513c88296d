import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { floodSubscriptionOf } from "@/lib/mail/flood-mails";
import { subscribe, unsubscribe } from "./flood-mail-actions";

/** Whether the author gets an email about each flood, with a button to change it. */
export async function FloodMailSection({ userId }: { userId: number }) {
  const { state, email } = await floodSubscriptionOf(app(), userId);
  const t = translator("account");
  const address = () => (
    <bdi className="font-medium" dir="ltr">
      {email}
    </bdi>
  );
  return (
    <>
      <p className="mb-5 text-quiet">{t("floodMails.intro")}</p>
      <p className="mb-5">
        {state === "on" && t.rich("floodMails.on", { address })}
        {state === "unconfirmed" && t.rich("floodMails.unconfirmed", { address })}
        {state === "off" && t.rich("floodMails.off", { address })}
      </p>
      <div className="flex flex-wrap gap-3">
        {state !== "on" && (
          <Form action={subscribe}>
            <SubmitButton pending={t("floodMails.sending")}>
              {state === "off" ? t("floodMails.turnOn") : t("floodMails.sendAgain")}
            </SubmitButton>
          </Form>
        )}
        {state !== "off" && (
          <Form action={unsubscribe}>
            <button type="submit" className="button">
              {t("floodMails.turnOff")}
            </button>
          </Form>
        )}
      </div>
    </>
  );
}
