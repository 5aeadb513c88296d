import type { app } from "@/lib/app";
import { formatPeriod } from "@/lib/limiter/text";

/** How this blog handles a flood of ratings, by its settings. */
export function Floods({
  context: { limits, ratingMaxWaitMs, scoring },
}: {
  context: ReturnType<typeof app>;
}) {
  const modes = limits["rating.post"].map(({ mode }) => mode);
  const holds = scoring.detectsFloods || modes.includes("hold");
  return (
    <>
      <h2 id="floods">When very many ratings arrive at once</h2>
      {holds && (
        <Held holdMs={scoring.holdMs} detects={scoring.detectsFloods} tooFast={modes.includes("hold")} />
      )}
      {modes.includes("enforce") && <Refused maxWaitMs={ratingMaxWaitMs} />}
      {!holds && !modes.includes("enforce") && (
        <p>
          On this blog no limit is set on how fast a post may be rated. The settled score alone holds steady.
        </p>
      )}
      {limits["rating.user"].some(({ mode }) => mode === "enforce") && (
        <p>A person who gives dozens of ratings within seconds has to wait before the next, on any post.</p>
      )}
      <p>
        The <a href="/lab">lab</a> shows what different rate limits would do with a flood, a slow campaign or
        an honest crowd.
      </p>
    </>
  );
}

function Held({ holdMs, detects, tooFast }: { holdMs: number; detects: boolean; tooFast: boolean }) {
  return (
    <>
      {detects && (
        <>
          <p>
            Many ratings at once are not suspicious. When a post finds readers, they rate it as readers did
            before, and all of that counts. A flood is different: one score comes much more often than it
            usually does on this post, for more than a hundred ratings.
          </p>
          <p>
            Then the ratings above the usual number are held, with the ones that led up to them: they are
            saved, each rater sees their own rating, and the score does not count them yet. All others count
            at once, so a few hundred false ratings do not keep honest ones out.
          </p>
          <p>
            Campaigns often come from accounts made for them. So it also matters whether the accounts are as
            old as those that usually rate the post. That says something about a crowd, never about one
            person: a new account may rate like any other.
          </p>
          <p>
            How well does that work? In simulated floods of new accounts, fewer than 1 in 100 false ratings
            count when they come quickly, and about 6 in 100 when a flood grows slowly over a week. Of the
            honest ratings beside them, at most 2 in 100 still wait a day later, and of honest crowds without
            a flood none. What gets through: ratings from old accounts that come hardly faster than usual.
            They look like readers who have changed their minds.
          </p>
          <p>
            Those who decide also see how many of the held ratings came from one network, and how many of the
            accounts were made on one day. That alone holds nothing: a whole school can be one network. For
            this the blog keeps a code of the network that a rating came from, never the address. The code
            changes every day, does not identify a person, and is deleted with the record of the attempt to
            rate.
          </p>
        </>
      )}
      {tooFast && (
        <p>
          When a post is rated unusually fast, no rating is refused for that. The ratings that came too fast
          are saved and held: each rater sees their own rating, and the score does not count them yet. If they
          turn out like the earlier ratings, they count automatically.
        </p>
      )}
      <p>
        Held ratings wait for an administrator or a moderator of this blog, who can include or exclude them.
        They never decide on a post of their own. The author can request a review, with a reason. Every reader
        sees the person who decided, and the reason. Without a decision within {spanText(holdMs)}, they count,
        and the score follows no faster than it ever does. Only where the author alone runs the blog, and no
        other person could decide, does the author decide, and the post says so. If your rating was excluded
        with a flood, you may rate again once the flood is over.
      </p>
      <p>
        You can check this yourself. A post with held or excluded ratings says so, shows when they came, and
        lets you view its score with everything counted.
      </p>
    </>
  );
}

function Refused({ maxWaitMs }: { maxWaitMs: number }) {
  return (
    <p>
      When a post is rated faster than the blog can handle, a rating{" "}
      {maxWaitMs > 0 && `waits for its turn. If that would take longer than ${spanText(maxWaitMs)}, it `}
      is not saved, and the page says so, why, and when to try again. What you chose stays chosen. Changing a
      rating has a limit of its own, and withdrawing has none, so neither takes room from a first rating. A
      crowd of accounts that each rate a post for the first time does: with the usual settings, two hundred
      keep it busy for about twenty seconds, and other people then have to try again. They can do that once on
      each post. An account that tries again too early has to wait longer each time.
    </p>
  );
}

/** As "one day" or "14 days". */
function spanText(durationMs: number): string {
  const text = formatPeriod(durationMs);
  return /^\d/.test(text) ? text : `one ${text}`;
}
