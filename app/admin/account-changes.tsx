import { Moment } from "@/app/_components/time";
import type { ListedChange } from "@/lib/account-changes";
import { formatNumber } from "@/lib/limiter/text";
import { userPath } from "@/lib/paths";
import { actorText, othersText } from "./account-change-words";

const changeText: Record<ListedChange["kind"], string> = {
  disable: "Disabled",
  enable: "Enabled",
  "make-administrator": "Made an administrator",
  "remove-administrator": "No longer an administrator",
  "make-moderator": "Made a moderator",
  "remove-moderator": "No longer a moderator",
  approve: "Approved",
  reject: "Rejected",
  delete: "Deleted, with the right to decide on floods",
  "make-invitation": "Made an invitation",
  "use-invitation": "Registered with an invitation",
  "withdraw-invitation": "Withdrew an invitation",
};

/**
 * The change after which the page's list begins, from the page's address.
 * Undefined for the newest.
 */
export function changesBefore(value: unknown): number | undefined {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

interface AccountChangesProps {
  changes: readonly ListedChange[];
  hasOlder: boolean;
  /** As from `changesBefore`. */
  before: number | undefined;
}

/** A page of the changes of accounts and invitations: maker, kind, time and reason. */
export function AccountChanges({ changes, hasOlder, before }: AccountChangesProps) {
  return (
    <>
      {changes.length === 0 ? (
        <p className="text-quiet">
          {before === undefined ? "No account has been changed." : "There are no older changes."}
        </p>
      ) : (
        <List changes={changes} />
      )}
      {(hasOlder || before !== undefined) && (
        <nav aria-label="Pages of changes" className="mt-6 flex flex-wrap gap-5 text-[0.9375rem]">
          {before !== undefined && <a href="/admin#account-changes">Newest</a>}
          {hasOlder && <a href={`/admin?changes=${changes.at(-1)?.id}#account-changes`}>Older</a>}
        </nav>
      )}
    </>
  );
}

function List({ changes }: Pick<AccountChangesProps, "changes">) {
  return (
    <ol className="flex flex-col gap-4">
      {changes.map((change) => (
        <li key={change.id}>
          <p className="break-words">
            {changeText[change.kind]}
            {change.accounts > 0 && (
              <>
                : <Names {...change} />
              </>
            )}
          </p>
          <p className="text-sm text-quiet">
            <bdi dir="ltr" className="break-words">
              <Moment at={change.at} />, {change.by === null ? actorText(change) : <bdi>{change.by}</bdi>}
              {change.why && (
                <>
                  : <q dir="auto">{change.why}</q>
                </>
              )}
            </bdi>
          </p>
          {(change.kind === "disable" || change.kind === "enable") && (
            <p className="text-sm text-quiet">{progressText(change)}</p>
          )}
        </li>
      ))}
    </ol>
  );
}

function Names(change: ListedChange) {
  const { kind, usernames } = change;
  const others = othersText(change);
  return (
    <>
      {usernames.map((username, index) => (
        <span key={username}>
          {index > 0 && ", "}
          {kind === "reject" ? (
            <bdi>{username}</bdi>
          ) : (
            <a href={userPath(username)}>
              <bdi>{username}</bdi>
            </a>
          )}
        </span>
      ))}
      {others && `${usernames.length > 0 ? " and " : ""}${others}`}
    </>
  );
}

function progressText({ kind, ratings, ratingsMoved, waiting }: ListedChange): string {
  const what = kind === "disable" ? "taken out of the scores" : "restored";
  if (waiting === 0) return `${formatNumber(ratingsMoved)} ratings ${what}.`;
  return `${formatNumber(ratingsMoved)} of ${formatNumber(ratings)} ratings ${what} so far.`;
}
