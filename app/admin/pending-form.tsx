import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { Moment } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
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
  const { selectsAll = false } = query;
  return (
    // Another list begins with its own selection.
    <Form
      key={`${selectsAll} ${accounts.map(({ id }) => id).join()}`}
      action={decidePending.bind(null, query)}
    >
      <ul className="divide-y divide-hairline border-y border-hairline">
        {accounts.map((account) => (
          <li key={account.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
            <Account account={account} isSelected={selectsAll} isFiltered={query.network !== undefined} />
            <div className="flex gap-2">
              <ChoiceButton name="decision" value={`approve ${account.id}`} pending="Approving…">
                Approve<span className="sr-only"> {account.username}</span>
              </ChoiceButton>
              <ChoiceButton name="decision" value={`reject ${account.id}`} pending="Rejecting…">
                Reject<span className="sr-only"> {account.username}</span>
              </ChoiceButton>
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <a href={pendingPath({ ...query, selectsAll: !selectsAll })} className="text-[0.9375rem]">
          {selectsAll ? "Select none" : "Select all on this page"}
        </a>
        <ChoiceButton name="decision" value="approve" pending="Approving…">
          Approve selected
        </ChoiceButton>
        <ChoiceButton name="decision" value="reject" pending="Rejecting…">
          Reject selected
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
  const { id, username, email, pendingSince, network, ofNetwork } = account;
  return (
    <div className="min-w-0 flex-1 basis-60">
      <label className="flex items-baseline gap-3">
        <input type="checkbox" name="account" value={id} defaultChecked={isSelected} />
        <bdi className="min-w-0 font-medium break-words">{username}</bdi>
      </label>
      <p className="text-sm text-quiet">
        <bdi dir="ltr">
          <bdi className="break-all">{email}</bdi>
          {" · registered "}
          <Moment at={pendingSince} />
        </bdi>
      </p>
      {network !== null && ofNetwork > 1 && !isFiltered && (
        <p className="text-sm">
          <a href={pendingPath({ network })}>
            <bdi>{formatNumber(ofNetwork - 1)} more from the same network</bdi>
            <span className="sr-only"> as {username}</span>
          </a>
        </p>
      )}
    </div>
  );
}
