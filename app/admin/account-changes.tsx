import { Moment } from "@/app/_components/time";
import type { ListedChange } from "@/lib/disabling";
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
};

/** Who disabled, enabled, approved, rejected or deleted accounts or changed their role, when and why. */
export function AccountChanges({ changes }: { changes: readonly ListedChange[] }) {
  if (changes.length === 0) return <p className="text-quiet">No account has been changed.</p>;
  return (
    <ol className="flex flex-col gap-4">
      {changes.map((change) => (
        <li key={change.id}>
          <p className="break-words">
            {changeText[change.kind]}: <Names {...change} />
          </p>
          <p className="text-sm text-quiet">
            <Moment at={change.at} />, {change.by === null ? actorText(change) : <bdi>{change.by}</bdi>}
            {change.why && (
              <>
                : <q dir="auto">{change.why}</q>
              </>
            )}
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
