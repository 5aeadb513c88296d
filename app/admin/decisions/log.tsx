import { PageLinks } from "@/app/_components/page-links";
import { PostTitle } from "@/app/_components/post-title";
import { Moment } from "@/app/_components/time";
import type { ListedChange } from "@/lib/account-changes";
import type { LogEntry, LoggedDecision, LogPlace } from "@/lib/audit-log";
import { formatter, translator } from "@/lib/i18n";
import { postPath, userPath, windowPath } from "@/lib/paths";
import { actorText, othersTexts, progressText, settingsText } from "./log-text";

/**
 * The place where the page's log begins, from the page's address.
 * Undefined for the newest entries.
 */
export function logPlaceFrom(value: unknown): LogPlace | undefined {
  const [, change, decision] = typeof value === "string" ? (/^(\d{1,16})-(\d{1,16})$/.exec(value) ?? []) : [];
  const place = { change: Number(change), decision: Number(decision) };
  return Object.values(place).every(Number.isSafeInteger) ? place : undefined;
}

interface LogProps {
  entries: readonly LogEntry[];
  older: LogPlace | null;
  /** As from `logPlaceFrom`. */
  before: LogPlace | undefined;
}

/** A page of the log: decisions and changes, with their makers, times and reasons. */
export function Log({ entries, older, before }: LogProps) {
  const t = translator("admin");
  return (
    <>
      {entries.length === 0 && (
        <p className="text-quiet">{before ? t("decisions.noOlder") : t("decisions.noneLogged")}</p>
      )}
      <ol className="flex flex-col gap-4">
        {entries.map((entry) => (
          <li key={`${entry.entry} ${entry.id}`}>
            {entry.entry === "change" ? <Change {...entry} /> : <Decision {...entry} />}
          </li>
        ))}
      </ol>
      <PageLinks
        label={t("decisions.pages")}
        first={before && "/admin/decisions#log"}
        firstText={t("decisions.newest")}
        next={older && `/admin/decisions?before=${older.change}-${older.decision}#log`}
        nextText={t("decisions.older")}
      />
    </>
  );
}

function Change(change: ListedChange) {
  const t = translator("admin");
  const progress = progressText(change);
  return (
    <>
      <p className="break-words">
        {t.rich(`log.${change.kind}`, {
          names: () => <Names {...change} />,
          post: () => <ChangedPost {...change} />,
        })}
      </p>
      <Line
        {...change}
        why={change.kind === "change-settings" && change.why ? settingsText(change.why) : change.why}
        who={change.by === null ? actorText(change) : undefined}
      />
      {progress && <p className="text-sm text-quiet">{progress}</p>}
    </>
  );
}

function Decision({ slug, title, lang, window, status, ratings, at, by, why }: LoggedDecision) {
  const t = translator("admin");
  // A person never decides to hold.
  const kind = status === "counted" ? "counted" : "excluded";
  return (
    <>
      <p className="break-words">
        {t.rich(`log.${kind}`, {
          number: formatter().number(window),
          count: ratings,
          post: () => (
            <a href={windowPath(slug, window)}>
              <PostTitle title={title} lang={lang} />
            </a>
          ),
        })}
      </p>
      <Line at={at} by={by} why={why} who={by === null ? t("log.by.administrator") : undefined} />
    </>
  );
}

interface LineProps {
  at: number;
  by: string | null;
  why: string | null;
  /** The maker, where the account no longer exists. */
  who: string | undefined;
}

/** The time, the maker and the reason. */
function Line({ at, by, why, who }: LineProps) {
  const t = translator("admin");
  const parts = {
    time: () => <Moment at={at} />,
    who: () => who ?? t.rich("log.by.name", { name: () => <bdi>{by}</bdi> }),
  };
  return (
    <p className="text-sm break-words text-quiet">
      {why
        ? t.rich("log.lineWithReason", { ...parts, why: () => <q dir="auto">{why}</q> })
        : t.rich("log.line", parts)}
    </p>
  );
}

function ChangedPost({ post }: ListedChange) {
  if (!post) return translator("admin")("log.deletedPost");
  return (
    <a href={postPath(post.slug)}>
      <PostTitle {...post} />
    </a>
  );
}

function Names(change: ListedChange) {
  const names = change.usernames.map((username) =>
    change.kind === "reject" ? (
      <bdi key={username}>{username}</bdi>
    ) : (
      <a key={username} href={userPath(username)}>
        <bdi>{username}</bdi>
      </a>
    ),
  );
  const others = othersTexts(change).map((text) => <span key={text}>{text}</span>);
  return formatter().list([...names, ...others]);
}
