import { Form } from "@/app/_components/form";
import { Field } from "@/app/_components/form-fields";
import { forbiddenPage } from "@/app/_components/no-page";
import { accountsMaximum } from "@/lib/account-changes";
import { translator } from "@/lib/i18n";
import { checkedChangeTexts } from "../change-accounts";
import { CheckedChange } from "../checked-change";
import { AdminFrame, administratorAt } from "../frame";
import { changeManyAccounts } from "./actions";

export function generateMetadata() {
  return { title: translator("adminPeople")("change.title"), robots: { index: false } };
}

export default async function AccountsPage() {
  const user = await administratorAt("/admin/accounts");
  if (!user) return forbiddenPage();
  const t = translator("adminPeople");
  const time = { autoComplete: "off", help: t("change.timeHelp"), optional: true };
  return (
    <AdminFrame user={user} page="people" title={t("change.title")}>
      <p className="mt-3 mb-8 text-quiet">{t("change.intro", { maximum: accountsMaximum })}</p>
      <Form action={changeManyAccounts} className="flex max-w-lg flex-col items-start gap-5">
        <div className="w-full">
          <Field
            label={t("change.usernames")}
            name="usernames"
            rows={6}
            autoComplete="off"
            help={t("change.usernamesHelp")}
            optional
          />
        </div>
        <div className="w-full">
          <Field label={t("change.from")} name="registeredFrom" {...time} />
        </div>
        <div className="w-full">
          <Field label={t("change.before")} name="registeredBefore" {...time} />
        </div>
        <div className="w-full">
          <Field label={t("person.why")} name="why" autoComplete="off" rows={2} help={t("person.whyHelp")} />
        </div>
        <CheckedChange checks={["disable", "enable"]} texts={checkedChangeTexts()} />
      </Form>
    </AdminFrame>
  );
}
