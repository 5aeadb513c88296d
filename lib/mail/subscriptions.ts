/**
 * Subscriptions to new posts, with or without an account.
 * An address is kept once its owner has confirmed it with a link. Until then it is only in the mail and in the link's
 * signed token.
 */
import { z } from "zod";
import { isSameSecret, signatureOf } from "../auth/token.ts";
import {
  type Challenge,
  type ChallengeFault,
  type ChallengeSettings,
  challengeFault,
  isSpent,
  issueChallenge,
  solutionFault,
  spendChallenge,
} from "../challenge/index.ts";
import { challengeSchema, solutionSchema } from "../challenge/schema.ts";
import { isLocale, type Locale } from "../i18n/locale.ts";
import { addressChecks } from "../limits/address-limit.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, Refused } from "../limits/types.ts";
import { comparisonKey, resetRequestSchema } from "../users/schema.ts";
import { type Invalid, validate } from "../validation.ts";
import type { MailContext } from "./confirm-email.ts";
import { queueMail } from "./outbox.ts";
import { canSendLinks, type MailSettings } from "./settings.ts";

interface SubscriptionContext extends MailContext {
  limits: Limits;
  guard: Guard;
  registration: { challenge: ChallengeSettings | null };
}

const purpose = "subscribe";

export const subscriptionSchema = resetRequestSchema.extend({
  challenge: challengeSchema.optional(),
  solution: solutionSchema.optional(),
});

/** A new challenge to solve for a subscription; null where none is needed. */
export async function subscriptionChallenge(
  { registration: { challenge } }: Pick<SubscriptionContext, "registration">,
  now: number,
): Promise<Challenge | null> {
  return challenge && issueChallenge(challenge, purpose, now);
}

/**
 * Mails a link that subscribes an address.
 * The answer is the same for an address that is subscribed, which gets no mail, and beyond the limit of its day.
 */
export async function requestSubscription(
  context: SubscriptionContext,
  { input, address, locale, now }: { input: unknown; address: string; locale: Locale; now: number },
): Promise<
  | { kind: "requested" }
  | { kind: "no-mail" }
  | { kind: "challenge"; fault: ChallengeFault }
  | Invalid
  | Refused
> {
  const { database, guard, limits, registration } = context;
  if (!canSendLinks(context)) return { kind: "no-mail" };
  const checked = validate(subscriptionSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { email, challenge, solution } = checked.value;
  const proof = { challenge, solution, mayWait: true };
  const used = { kind: "challenge", fault: { fault: "used" } } as const;
  const spent = registration.challenge ? challenge : undefined;
  if (registration.challenge) {
    const fault = await challengeFault(registration.challenge, purpose, proof, now);
    if (fault) return { kind: "challenge", fault };
    if (spent && (await isSpent(database, spent, now))) return used;
  }
  const decided = await checkLimits(guard, {
    client: { address },
    checks: addressChecks(
      {
        address: limits["subscribe.address"],
        network: limits["subscribe.network"],
        wideNetwork: limits["subscribe.network"],
      },
      address,
    ),
    now,
  });
  if (decided.kind !== "allowed") return decided;
  // After the limit: checking a solution costs as much as one step of solving.
  if (registration.challenge) {
    const fault = await solutionFault(registration.challenge, proof, now);
    if (fault) return { kind: "challenge", fault };
  }
  return guard.run<{ kind: "requested" } | typeof used | Refused>({
    client: { address },
    now,
    plan: async () =>
      spent && (await isSpent(database, spent, now))
        ? { outcome: used }
        : {
            checks: [[limits["subscribe.site"], "all"]],
            execute: async ({ refused }) => {
              if (refused) return refused;
              if (spent && !(await spendChallenge(database, spent, now))) return used;
              const to = { id: null, email, emailKey: comparisonKey(email) };
              const mail = { kind: "confirm-subscription", to, data: {}, locale, now } as const;
              const queued = await queueMail(database, { ...mail, isByStranger: true });
              return queued === "outbox-full" ? { kind: "unavailable" } : { kind: "requested" };
            },
          },
  });
}

const claimsSchema = z.tuple([z.string().max(254), z.string(), z.number()]);

/** The token of a link that subscribes an address, until `expiresAt`. */
export function subscriptionToken(
  settings: Pick<MailSettings, "linkKey">,
  { email, locale, expiresAt }: { email: string; locale: string; expiresAt: number },
): string {
  const claims = Buffer.from(JSON.stringify([email, locale, expiresAt])).toString("base64url");
  return `${claims}.${signature(settings, claims)}`;
}

/** The address that a link subscribes; undefined when it cannot be used. */
export function addressOfLink({ mail }: Pick<MailContext, "mail">, token: string, now: number) {
  const [, text = "", sent = ""] = /^([\w-]{1,1000})\.([\w-]{43})$/.exec(token) ?? [];
  if (!mail || text === "") return undefined;
  if (!isSameSecret(sent, signature(mail, text))) return undefined;
  const [email, language, expiresAt] = claimsSchema.parse(
    JSON.parse(Buffer.from(text, "base64url").toString()),
  );
  if (expiresAt <= now) return undefined;
  return { email, locale: isLocale(language) ? language : mail.siteLocale };
}

/** Subscribes the address of a link; idempotent. */
export async function confirmSubscription(
  context: MailContext,
  token: string,
  now: number,
): Promise<boolean> {
  const found = addressOfLink(context, token, now);
  if (!found) return false;
  const { email, locale } = found;
  const subscriber = { email, emailKey: comparisonKey(email), locale, createdAt: now };
  await context.database.transaction(() => context.database.subscribers.add(subscriber));
  return true;
}

function signature({ linkKey }: Pick<MailSettings, "linkKey">, claims: string): string {
  return signatureOf(linkKey(), "subscribe", claims);
}
