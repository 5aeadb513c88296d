import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { Moment } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { PendingAccount } from "@/lib/users/approvals";
import { type PendingQuery, pendingPath } from "./pending-query";
import { decidePending } from "./registration-actions";

/**
 * One page of the waiting accounts.
 * With buttons for each account, and for the selected ones.
 */
export function PendingForm({
  accounts,
  query,
}: {
  accounts: readonly PendingAccount[];
  query: PendingQuery;
}) {
  const t = translator("adminPeople");
  const { selectsAll = false } = query;
  return (
    // Another list begins with its own selection.
    <Form
      key={`${selectsAll} ${accounts.map(({ id }) => id).join()}`}
      action={decidePending.bind(null, query)}
    >
      <ul className="rows centered">
        {accounts.map((account) => (
          <li key={account.id}>
            <Account account={account} isSelected={selectsAll} isFiltered={query.network !== undefined} />
            <div className="flex gap-2">
              <ChoiceButton name="decision" value={`approve ${account.id}`} pending={t("waiting.approving")}>
                {t.rich("waiting.approve", { name: account.username, hidden })}
              </ChoiceButton>
              <ChoiceButton name="decision" value={`reject ${account.id}`} pending={t("waiting.rejecting")}>
                {t.rich("waiting.reject", { name: account.username, hidden })}
              </ChoiceButton>
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <a href={pendingPath({ ...query, selectsAll: !selectsAll })} className="text-[0.9375rem]">
          {selectsAll ? t("waiting.selectNone") : t("waiting.selectAll")}
        </a>
        <ChoiceButton name="decision" value="approve" pending={t("waiting.approving")}>
          {t("waiting.approveSelected")}
        </ChoiceButton>
        <ChoiceButton name="decision" value="reject" pending={t("waiting.rejecting")}>
          {t("waiting.rejectSelected")}
        </ChoiceButton>
      </div>
    </Form>
  );
}

interface AccountProps {
  account: PendingAccount;
  isSelected: boolean;
  /** Whether the list shows one network only. */
  isFiltered: boolean;
}

/** A checkbox with the account's details. */
function Account({ account, isSelected, isFiltered }: AccountProps) {
  const t = translator("adminPeople");
  const { id, username, email, pendingSince, network, ofNetwork } = account;
  return (
    <div>
      <label>
        <input type="checkbox" name="account" value={id} defaultChecked={isSelected} />
        <bdi>{username}</bdi>
      </label>
      <p>
        {t.rich("waiting.registered", {
          email: () => <bdi>{email}</bdi>,
          time: () => <Moment at={pendingSince} />,
        })}
      </p>
      {network !== null && ofNetwork > 1 && !isFiltered && (
        <p>
          <a href={pendingPath({ network })}>
            {t.rich("waiting.sameNetwork", { count: ofNetwork - 1, name: username, hidden })}
          </a>
        </p>
      )}
    </div>
  );
}

/** A part of a name that tells buttons apart where they are only heard. */
function hidden(chunks: React.ReactNode) {
  return <span className="sr-only">{chunks}</span>;
}
