import { Form } from "@/app/_components/form";
import { Field } from "@/app/_components/form-fields";
import { translator } from "@/lib/i18n";
import type { ListedPerson } from "@/lib/users/people";
import { checkedChangeTexts } from "../../change-accounts";
import { CheckedChange } from "../../checked-change";
import { changePerson } from "./actions";

/** The form that disables or enables a person, after a preview of the changes. */
export function Disabling({ person: { username, role, status } }: { person: ListedPerson }) {
  const t = translator("adminPeople");
  if (role === "administrator") return <p>{t("person.administratorDisabling")}</p>;
  const isDisabled = status === "disabled";
  return (
    <Form
      key={status}
      action={changePerson.bind(null, username)}
      className="flex max-w-lg flex-col items-start gap-5"
    >
      <p className="text-sm text-quiet">{isDisabled ? t("person.enableHelp") : t("person.disableHelp")}</p>
      <div className="w-full">
        <Field label={t("person.why")} name="why" rows={2} autoComplete="off" help={t("person.whyHelp")} />
      </div>
      <CheckedChange checks={[isDisabled ? "enable" : "disable"]} texts={checkedChangeTexts()} />
    </Form>
  );
}
