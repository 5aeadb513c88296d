import { parameterFrom, type QueryParameters, searchFrom } from "@/app/_components/search-text";
import { pathWith } from "@/lib/paths";
import type { PendingSearch } from "@/lib/users/approvals";

/** The list's search, filter, page and last decision, as in the page's address. */
export interface PendingQuery extends PendingSearch {
  /** Which page of the list of invitations. */
  invitationsPage?: number | undefined;
  /** Whether all accounts on the page are selected at first. */
  selectsAll?: boolean;
  /** The last decision: how many accounts, and how many no longer waited. */
  done?: { approve: boolean; decided: number; others: number } | undefined;
}

/** Reads the address's parameters; bad ones are left out. */
export function pendingQueryFrom(parameters: QueryParameters): PendingQuery {
  const one = (name: string) => parameterFrom(parameters, name);
  const pageFrom = (text: string | undefined) => (text && /^\d{1,6}$/.test(text) ? Number(text) : undefined);
  const [, decision, decided, others] =
    /^(approved|rejected)-(\d{1,4})-(\d{1,4})$/.exec(one("done") ?? "") ?? [];
  return {
    search: searchFrom(parameters, "name"),
    network: /^[\da-f]{16}$/.exec(one("network") ?? "")?.[0],
    page: pageFrom(one("page")),
    invitationsPage: pageFrom(one("invitations")),
    selectsAll: one("select") === "all",
    done: decision
      ? { approve: decision === "approved", decided: Number(decided), others: Number(others) }
      : undefined,
  };
}

/** The address of a page of the list. */
export function pendingPath(
  { search, network, page, selectsAll, invitationsPage }: PendingQuery,
  more: Record<string, string> = {},
): string {
  const address = pathWith("/admin/people", {
    name: search,
    network,
    page: page === 1 ? undefined : page,
    invitations: invitationsPage === 1 ? undefined : invitationsPage,
    select: selectsAll ? "all" : undefined,
    ...more,
  });
  return `${address}#new-accounts`;
}
