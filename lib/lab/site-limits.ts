/** The site's own limits on a trace of ratings, all at once. */
import { decide, type PolicyCheck, type Reason } from "../limiter/index.ts";
import type { Limit } from "../limits/index.ts";
import type { TraceRequest } from "./simulate.ts";

/** A limit of the site, without the settings that its algorithm was made from. */
type SiteLimit = Omit<Limit, "parameters">;

/**
 * The limits that decide on the ratings of a trace.
 * Its raters are known, their addresses are not.
 */
const siteLimitNames = ["rating.post", "rating.user", "rating.change"] as const;

export type SiteLimits = Record<(typeof siteLimitNames)[number], readonly SiteLimit[]>;

/** Setting floods of the same rating aside, as a choice beside the limits. */
export const floodDetection = "floods";

/** The limits that refuse or set aside, in the order in which they are listed. */
export function decidingLimits<L extends SiteLimit>(limits: Record<keyof SiteLimits, readonly L[]>): L[] {
  return siteLimitNames.flatMap((name) => limits[name].filter(({ mode }) => mode !== "shadow"));
}

/** The limits with these names; all of them for no names. */
export function onlyLimits<L extends SiteLimit>(
  limits: Record<keyof SiteLimits, readonly L[]>,
  names: readonly string[],
): Record<keyof SiteLimits, L[]> {
  const chosen = (of: readonly L[]) => of.filter(({ name }) => names.length === 0 || names.includes(name));
  return {
    "rating.post": chosen(limits["rating.post"]),
    "rating.user": chosen(limits["rating.user"]),
    "rating.change": chosen(limits["rating.change"]),
  };
}

interface SiteDecision {
  allowed: boolean;
  /** Why a limit that holds sets the rating aside; undefined when none does. */
  overLimit: Reason | undefined;
}

interface KeptState {
  next: unknown;
  expiresAt: number;
}

/**
 * Decides ratings that are in order of time, as the blog does.
 * A user's later rating is a change: it takes room from first ratings only where floods are held. A rating without a
 * user counts as a new user's.
 */
export function decideBySite(limits: SiteLimits, requests: readonly TraceRequest[]): SiteDecision[] {
  const states = new Map<string, KeptState>();
  const raters = new Set<number>();
  const checkOf = (policy: SiteLimit, subject: string): PolicyCheck<SiteLimit> => ({
    policy,
    key: `${policy.name} ${subject}`,
    counts: policy.counts,
  });
  return requests.map(({ at, user }) => {
    const isChange = user !== undefined && raters.has(user);
    const ofUser = limits[isChange ? "rating.change" : "rating.user"];
    const checks = [
      ...(user === undefined ? [] : ofUser.map((policy) => checkOf(policy, String(user)))),
      ...limits["rating.post"].map((policy) =>
        checkOf(policy, isChange && policy.mode !== "hold" ? "changes" : ""),
      ),
    ];
    const known = checks.map(({ key }) => stateAt(states.get(key), at));
    const { result, changes } = decide(checks, known, at, 1);
    for (const [index, change] of changes.entries()) {
      const key = checks[index]?.key;
      if (key !== undefined && change?.next !== undefined)
        states.set(key, { next: change.next, expiresAt: change.expiresAt ?? Number.POSITIVE_INFINITY });
    }
    if (user !== undefined && result.refusal === undefined) raters.add(user);
    return { allowed: result.refusal === undefined, overLimit: result.heldBy?.decision.reason };
  });
}

function stateAt(state: KeptState | undefined, at: number): unknown {
  return state && state.expiresAt > at ? state.next : undefined;
}
