import type { app } from "@/lib/app";
import { formatPeriod } from "@/lib/limiter/text";

/** How this blog handles a flood of ratings, by its settings. */
export function Floods({
  context: { limits, ratingMaxWaitMs, scoring },
}: {
  context: ReturnType<typeof app>;
}) {
  const modes = limits["rating.post"].map(({ mode }) => mode);
  return (
    <>
      <h2 id="floods">When very many ratings arrive at once</h2>
      {modes.includes("hold") ? (
        <Held
          holdMs={scoring.holdMs}
          limitsUsers={limits["rating.user"].some(({ mode }) => mode === "enforce")}
        />
      ) : modes.includes("enforce") ? (
        <Refused maxWaitMs={ratingMaxWaitMs} />
      ) : (
        <p>
          On this blog no limit is set on how fast a post may be rated. The settled score alone holds steady.
        </p>
      )}
      <p>
        What a limiter would do with a flood, a slow campaign or an honest crowd, and what others would, can
        be tried in the <a href="/lab">lab</a>.
      </p>
    </>
  );
}

function Held({ holdMs, limitsUsers }: { holdMs: number; limitsUsers: boolean }) {
  return (
    <>
      <p>
        A limiter watches how fast each post is being rated. When that becomes unusual, no rating is refused
        for that. What arrives is saved and held in a window, with the few ratings that came just before: each
        rater sees their own rating, and the score does not count it yet.
      </p>
      <p>
        A window whose ratings are spread like the post’s own past is an honest crowd. It is counted by
        itself, as soon as that is clear.
      </p>
      <p>
        Any other window waits for an administrator or a moderator of this blog, who can count it or exclude
        it. They never decide on a post of their own. The author can ask them for a review, with a reason.
        Everyone sees who decided, and why. Without a decision within {spanText(holdMs)}, it is counted, and
        the score follows no faster than it ever does. Only where the author alone runs the blog, and no other
        person could decide, does the author decide, and the post says so.
      </p>
      <p>
        You can check this yourself. A post with held or excluded ratings says so, shows when they came, and
        lets you view its score with everything counted.
      </p>
      {limitsUsers && (
        <p>Dozens of ratings by one person within seconds are refused all the same, on whatever posts.</p>
      )}
    </>
  );
}

function Refused({ maxWaitMs }: { maxWaitMs: number }) {
  return (
    <p>
      A limiter watches how fast each post is being rated. When it is too fast, a rating{" "}
      {maxWaitMs > 0 && `waits for its turn. If that would take longer than ${spanText(maxWaitMs)}, it `}
      is not saved, and the page says so, why, and when to try again. What you chose stays chosen. Changing a
      rating passes the same limiter. Withdrawing does not.
    </p>
  );
}

/** As "one day" or "14 days". */
function spanText(durationMs: number): string {
  const text = formatPeriod(durationMs);
  return /^\d/.test(text) ? text : `one ${text}`;
}
