/**
 * Allow and deny lists, checked before any limit.
 * `allow address 192.0.2.0/24, deny user mallory, deny address 2001:db8::/32`. The first rule that matches decides:
 * requests that it allows are not limited at all, and those that it denies are refused at once. Users are matched when
 * they are logged in, not by a name that they type.
 */
import { parseRange, withinRanges } from "../http/address-ranges.ts";
import { countedAddress } from "../http/client-address.ts";
import { comparisonKey } from "../users/schema.ts";

/** The client of a request, as access rules match it; `username` when logged in. */
export interface Client {
  address: string;
  username?: string;
}

export type AccessRules = (client: Client) => "allow" | "deny" | undefined;

/**
 * @throws Error that names the unreadable rule, and shows how one is written
 */
export function accessRules(text: string): AccessRules {
  const rules = text
    .split(",")
    .map((rule) => rule.trim())
    .filter((rule) => rule !== "")
    .map(ruleFrom);
  return (client) => rules.find(({ matches }) => matches(client))?.effect;
}

function ruleFrom(rule: string): { effect: "allow" | "deny"; matches: (client: Client) => boolean } {
  const [, effect, kind, subject = ""] = /^(allow|deny)\s+(address|user)\s+(\S+)$/.exec(rule) ?? [];
  const matches =
    kind === "address" ? addressMatcher(subject) : kind === "user" ? userMatcher(subject) : null;
  if ((effect !== "allow" && effect !== "deny") || !matches)
    throw new Error(
      `has ${JSON.stringify(rule)}; write rules such as allow address 192.0.2.0/24, deny address 2001:db8::/32 (IPv6 up to /64), deny user mallory`,
    );
  return { effect, matches };
}

function userMatcher(name: string) {
  const key = comparisonKey(name);
  return ({ username }: Client) => username !== undefined && comparisonKey(username) === key;
}

/**
 * Null when the text is neither an address nor a range in CIDR notation.
 * An IPv6 range must be a /64 or wider: limits know an IPv6 address only as its /64, since one subscriber is given a
 * whole one.
 */
function addressMatcher(text: string) {
  const range = parseRange(text);
  const isMapped = range?.version === 6 && countedAddress(range.network)?.includes(".");
  if (!range || isMapped || (range.version === 6 && range.bits > 64)) return null;
  const isWithin = withinRanges([text]);
  return ({ address }: Client) => isWithin(address.replace(/\/64$/, ""));
}
