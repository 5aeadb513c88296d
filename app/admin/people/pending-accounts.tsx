import { SearchForm } from "@/app/_components/search-form";
import { translator } from "@/lib/i18n";
import type { PendingAccount } from "@/lib/users/approvals";
import { NumberedPages } from "./numbered-pages";
import { PendingForm } from "./pending-form";
import { type PendingQuery, pendingPath } from "./pending-query";

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
  const t = translator("adminPeople");
  const { search, network, done } = query;
  const isFiltered = search !== undefined || network !== undefined;
  return (
    <>
      <h3 className="mb-2 font-medium">{t("waiting.title")}</h3>
      <p role="status" className="mb-4 border-s-2 border-water ps-3 empty:hidden">
        {done && doneText(done)}
      </p>
      {(count > 0 || isFiltered) && (
        <>
          <p className="mb-4 text-sm text-quiet">{t("waiting.help")}</p>
          <SearchForm
            action="/admin/people#new-accounts"
            name="name"
            label={t("waiting.search")}
            placeholder={t("waiting.placeholder")}
            value={search}
            className="mb-4 block max-w-sm"
          />
          <p className="mb-2 text-[0.9375rem]">
            {shownText(count, query)}
            {isFiltered && (
              <>
                {" · "}
                <a href={pendingPath({})}>{t("waiting.showAll")}</a>
              </>
            )}
          </p>
        </>
      )}
      {count === 0 && !isFiltered && <p className="mb-6 text-quiet">{t("waiting.none")}</p>}
      {accounts.length > 0 && <PendingForm accounts={accounts} query={{ ...query, page }} />}
      <NumberedPages
        label={t("waiting.pages")}
        page={page}
        pages={pages}
        pathOf={(other) => pendingPath({ search, network, page: other })}
      />
    </>
  );
}

/** How many accounts the list has, and by which search. */
function shownText(count: number, { search, network }: PendingQuery) {
  const t = translator("adminPeople");
  const accounts = t("waiting.count", { count });
  if (search === undefined) return network === undefined ? accounts : t("waiting.fromNetwork", { accounts });
  const parts = { accounts, text: () => <bdi>{search}</bdi> };
  return network === undefined
    ? t.rich("waiting.withText", parts)
    : t.rich("waiting.fromNetworkWithText", parts);
}

function doneText({ approve, decided, others }: NonNullable<PendingQuery["done"]>): string {
  const t = translator("adminPeople");
  if (decided + others === 0) return t("waiting.doneNothing");
  const count = decided;
  const what = approve ? t("waiting.doneApproved", { count }) : t("waiting.doneRejected", { count });
  return others === 0 ? what : `${what} ${t("waiting.others", { count: others })}`;
}
