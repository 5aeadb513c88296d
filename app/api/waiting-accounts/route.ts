import { accountsDecisionSchema, shownWaitingAccount, waitingListSchema } from "@/lib/api/people";
import { asAdministrator, failed, failedFor, json, route, withInput, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { decideNamedAccounts, pendingAccounts } from "@/lib/users/approvals";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of the accounts that wait for approval; for administrators. */
  GET: asAdministrator(
    withQuery(waitingListSchema, async ({ query: { q, network, page } }) => {
      const { accounts, ...rest } = await pendingAccounts(app(), { search: q, network, page });
      return json({ items: accounts.map(shownWaitingAccount), ...rest });
    }),
  ),
  /** Approves accounts that wait, or rejects them; for administrators. */
  POST: asAdministrator(
    withInput(65_536, async ({ user, input, now }) => {
      const checked = validate(accountsDecisionSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const outcome = await decideNamedAccounts(app(), { actor: user, ...checked.value, now });
      if (outcome.kind !== "done") return failedFor(user, outcome);
      return json({ decided: outcome.decided, others: outcome.others });
    }),
  ),
});
