import { SearchForm } from "@/app/_components/search-form";
import { formatNumber } from "@/lib/limiter/text";
import type { PendingAccount } from "@/lib/users/approvals";
import { PendingForm } from "./pending-form";
import { type PendingQuery, pendingPath } from "./pending-query";

export type { PendingQuery };

interface PendingAccountsProps {
  accounts: readonly PendingAccount[];
  /** How many match the search, on all pages. */
  count: number;
  page: number;
  pages: number;
  query: PendingQuery;
}

/** One page of the accounts that wait for approval, with search and page links. */
export function PendingAccounts({ accounts, count, page, pages, query }: PendingAccountsProps) {
  const { search, network, done } = query;
  const isFiltered = search !== undefined || network !== undefined;
  return (
    <>
      <h3 className="mb-2 font-medium">Waiting for approval</h3>
      <p role="status" className="mb-4 border-s-2 border-water ps-3 empty:hidden">
        {done && <bdi>{doneText(done)}</bdi>}
      </p>
      {(count > 0 || isFiltered) && (
        <>
          <p className="mb-4 text-sm text-quiet">
            The account that has waited longest comes first. The site sends no mail, so no email address has
            been checked. Rejecting removes an account.
          </p>
          <SearchForm
            action="/admin#new-accounts"
            name="name"
            label="Search waiting accounts"
            placeholder="Name or email"
            value={search}
            className="mb-4 block max-w-sm"
          />
          <p className="mb-2 text-[0.9375rem]">
            <bdi>{accountsText(count)}</bdi>
            {network !== undefined && " from one network"}
            {search !== undefined && (
              <>
                {" with “"}
                <bdi>{search}</bdi>”
              </>
            )}
            {isFiltered && (
              <>
                {" · "}
                <a href={pendingPath({})}>Show all</a>
              </>
            )}
          </p>
        </>
      )}
      {count === 0 && !isFiltered && <p className="mb-6 text-quiet">No account is waiting for approval.</p>}
      {accounts.length > 0 && <PendingForm accounts={accounts} query={{ ...query, page }} />}
      {pages > 1 && (
        <nav aria-label="Pages of accounts" className="mb-6 flex flex-wrap gap-5 text-[0.9375rem]">
          {page > 1 && <a href={pendingPath({ search, network, page: page - 1 })}>Previous</a>}
          <span className="text-quiet">
            Page {formatNumber(page)} of {formatNumber(pages)}
          </span>
          {page < pages && <a href={pendingPath({ search, network, page: page + 1 })}>Next</a>}
        </nav>
      )}
    </>
  );
}

function accountsText(count: number): string {
  return count === 1 ? "1 account" : `${formatNumber(count)} accounts`;
}

function doneText({ approve, decided, others }: NonNullable<PendingQuery["done"]>): string {
  if (decided + others === 0) return "No account was selected: nothing was changed.";
  const what = `${accountsText(decided)} ${approve ? "approved" : "rejected"}.`;
  if (others === 0) return what;
  return `${what} ${accountsText(others)} had been decided on already, perhaps by another administrator.`;
}
