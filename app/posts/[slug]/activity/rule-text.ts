import { decidedBy } from "@/lib/ratings/record-attempt";

/** The reason why no limit has decided, from the rule in the policy's place. */
export function ruleText(policy: string | null): string {
  switch (policy) {
    case decidedBy.accessRules:
      return "by an access rule; no limit was checked";
    case decidedBy.outage:
      return "the site could not check its limits";
    default:
      return "no limit is set";
  }
}
