import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Form } from "@/app/_components/form";
import { Field } from "@/app/_components/form-fields";
import { forbiddenPage } from "@/app/_components/no-page";
import { accountsMaximum } from "@/lib/account-changes";
import { requireUser } from "@/lib/auth";
import { formatNumber } from "@/lib/limiter/text";
import { changeManyAccounts } from "./actions";
import { CheckedChange } from "./checked-change";

const title = "Disable or enable many accounts";
export const metadata: Metadata = { title, robots: { index: false } };

const timeHelp = "Such as 2026-03-01 or 2026-03-01T09:30. Times are UTC.";

export default async function AccountsPage() {
  const user = await requireUser("/admin/accounts");
  if (user.lacksSecondFactor) redirect("/account#two-steps");
  if (!user.isAdministrator) return forbiddenPage();
  return (
    <>
      <p className="mb-2 text-sm">
        <a href="/admin">Admin</a>
      </p>
      <h1 className="page-title">{title}</h1>
      <p className="mt-3 mb-8 text-quiet">
        A disabled account cannot log in, and its ratings leave all scores. Enabling it restores them. At most{" "}
        {formatNumber(accountsMaximum)} accounts change at a time, and you see which ones before anything
        changes.
      </p>
      <Form action={changeManyAccounts} className="flex max-w-lg flex-col items-start gap-5">
        <div className="w-full">
          <Field
            label="Usernames"
            name="usernames"
            rows={6}
            autoComplete="off"
            help="One on each line. Leave this empty to choose accounts by their time of registration."
            optional
          />
        </div>
        <div className="w-full">
          <Field label="Registered from" name="registeredFrom" autoComplete="off" help={timeHelp} optional />
        </div>
        <div className="w-full">
          <Field
            label="Registered before"
            name="registeredBefore"
            autoComplete="off"
            help={timeHelp}
            optional
          />
        </div>
        <div className="w-full">
          <Field
            label="Reason"
            name="why"
            autoComplete="off"
            rows={2}
            help="Kept on record for administrators."
          />
        </div>
        <CheckedChange />
      </Form>
    </>
  );
}
