import { Moment } from "@/app/_components/time";
import type { ListedChange } from "@/lib/disabling";
import { formatNumber } from "@/lib/limiter/text";
import { userPath } from "@/lib/paths";

/** Who disabled or enabled which accounts, when and why, with the progress of their ratings. */
export function AccountChanges({ changes }: { changes: readonly ListedChange[] }) {
  if (changes.length === 0) return <p className="text-quiet">No account has been disabled or enabled.</p>;
  return (
    <ol className="flex flex-col gap-4">
      {changes.map((change) => (
        <li key={change.id}>
          <p className="break-words">
            {change.kind === "disable" ? "Disabled" : "Enabled"}: <Names {...change} />
          </p>
          <p className="text-sm text-quiet">
            <Moment at={change.at} />, {change.by === null ? "by the operator" : <bdi>{change.by}</bdi>}
            {change.why && (
              <>
                : <q dir="auto">{change.why}</q>
              </>
            )}
          </p>
          <p className="text-sm text-quiet">{progressText(change)}</p>
        </li>
      ))}
    </ol>
  );
}

function Names({ accounts, usernames }: ListedChange) {
  const others = accounts - usernames.length;
  return (
    <>
      {usernames.map((username, index) => (
        <span key={username}>
          {index > 0 && ", "}
          <a href={userPath(username)}>
            <bdi>{username}</bdi>
          </a>
        </span>
      ))}
      {others > 0 && `${usernames.length > 0 ? " and " : ""}${formatNumber(others)} more`}
    </>
  );
}

function progressText({ kind, ratings, ratingsMoved, waiting }: ListedChange): string {
  const what = kind === "disable" ? "taken out of the scores" : "restored";
  if (waiting === 0) return `${formatNumber(ratingsMoved)} ratings ${what}.`;
  return `${formatNumber(ratingsMoved)} of ${formatNumber(ratings)} ratings ${what} so far.`;
}
