// Over 200 lines: one table of all failures and their answers.

/**
 * Every failure of posts, ratings and accounts as a problem with its status.
 * No other place gives them a status.
 */
import type { ApiScope } from "../api-tokens/scopes.ts";
import { bookmarksMaximum } from "../bookmarks/index.ts";
import type { ChallengeFault } from "../challenge/index.ts";
import type { Problem } from "../http/problem.ts";
import { rateLimitHeaders } from "../limiter/index.ts";
import {
  explainBadTokens,
  explainBusy,
  explainDenial,
  explainFullDisk,
  explainRefusal,
} from "../limits/refusal.ts";
import type { PolicyDecision, Refused } from "../limits/types.ts";
import type { ImageUsed } from "../media/index.ts";
import type { AlreadyPublished, NotAWriter, TooManyDrafts } from "../posts/index.ts";
import { draftsMaximum } from "../posts/lengths.ts";
import type { NotOpen } from "../users/new-account.ts";
import type { PasswordsBusy } from "../users/password.ts";
import type { NamesBusy } from "../users/skeletons.ts";
import type { FieldErrors, Invalid } from "../validation.ts";

export type FailedOutcome =
  | Invalid
  | { kind: "taken"; errors: FieldErrors }
  | { kind: "challenge"; fault: ChallengeFault }
  | NotOpen
  | Refused
  | { kind: "busy" }
  | PasswordsBusy
  | { kind: "images-busy" }
  | { kind: "disk-full" }
  | { kind: "no-such-image" }
  | { kind: "archive-too-large" }
  | { kind: "import-running" }
  | ImageUsed
  | NamesBusy
  | { kind: "wrong" }
  | { kind: "code-needed" }
  | { kind: "wrong-code" }
  | { kind: "disabled" }
  | { kind: "not-logged-in" }
  | { kind: "bad-token" }
  | { kind: "bad-tokens"; refusal: PolicyDecision }
  | { kind: "missing-scope"; scope: ApiScope }
  | { kind: "not-by-token" }
  | { kind: "foreign-download" }
  | { kind: "forbidden" }
  | NotAWriter
  | TooManyDrafts
  | AlreadyPublished
  | { kind: "outdated" }
  | { kind: "second-factor-missing" }
  | { kind: "no-such-post" }
  | { kind: "no-such-user" }
  | { kind: "too-many-bookmarks" }
  | { kind: "nothing-there" }
  | { kind: "expired" }
  | { kind: "no-mail" }
  | { kind: "full" }
  | { kind: "unconfirmed" }
  | { kind: "webhook-off" }
  | { kind: "webhook-busy" }
  | { kind: "own-role" }
  | { kind: "is-administrator" }
  | { kind: "last-administrator" }
  | { kind: "already-rated" }
  | { kind: "not-rated" };

/** A store that is back is in use again within this time. */
const outageRetrySeconds = "5";
/** A text takes at most about a second, and all passwords that wait about as long. */
const busyRetrySeconds = "2";
/**
 * The retry time after an upgrade, while usernames are compared.
 * The comparison runs in the background, a few hundred names at a time.
 */
const namesRetrySeconds = "60";

const busyWork = { busy: "texts", "passwords-busy": "passwords", "images-busy": "images" } as const;

const notOpen: Record<NotOpen["reason"], string> = {
  closed: "This site takes no new accounts.",
  "invitation-only": "Registering here takes an invitation: send the token of its link as `invitation`.",
  "bad-invitation": "This invitation is unknown, was used, or has expired.",
};

/** The problem document of a failure. */
export function problemOf(failure: FailedOutcome): Problem {
  switch (failure.kind) {
    case "invalid":
      return { status: 422, detail: sentences(failure.errors), errors: failure.errors };
    case "challenge": {
      const detail = explainChallengeFault(failure.fault);
      return { status: 422, detail, errors: { challenge: [detail] } };
    }
    case "not-open":
      return { status: 403, detail: notOpen[failure.reason] };
    case "taken":
      return { status: 409, detail: sentences(failure.errors), errors: failure.errors };
    case "limited":
      return {
        status: 429,
        detail: explainRefusal(failure.refusal),
        headers: rateLimitHeaders(failure.refusal.policy, failure.refusal.decision),
      };
    case "denied":
      return { status: 403, detail: explainDenial(failure) };
    case "unavailable":
      return {
        status: 503,
        detail: explainDenial(failure),
        headers: { "Retry-After": outageRetrySeconds, "Cache-Control": "no-store" },
      };
    case "busy":
    case "passwords-busy":
    case "images-busy":
      return {
        status: 503,
        detail: explainBusy(busyWork[failure.kind]),
        headers: { "Retry-After": busyRetrySeconds, "Cache-Control": "no-store" },
      };
    case "disk-full":
      return { status: 503, detail: explainFullDisk(), headers: { "Cache-Control": "no-store" } };
    case "archive-too-large":
      return {
        status: 413,
        detail:
          "The archive is too large to be uploaded: copy it to the server, and import it there with npm run import.",
      };
    case "import-running":
      return { status: 409, detail: "Another import is running: try again when it has ended." };
    case "no-such-image":
      return { status: 404, detail: "There is no such image, or it is another user's." };
    case "image-used": {
      const slugs = failure.uses.map(({ slug }) => slug).join(", ");
      return { status: 409, detail: `Posts of yours use this image: take it out of ${slugs} first.` };
    }
    case "names-busy":
      return {
        status: 503,
        detail: explainBusy("names"),
        headers: { "Retry-After": namesRetrySeconds, "Cache-Control": "no-store" },
      };
    case "wrong":
      return unauthorized("There is no account with this username and password.");
    case "code-needed":
      return unauthorized(
        "This account uses two-step verification: send a one-time code or a recovery code as `code`, with the password.",
      );
    case "wrong-code":
      return unauthorized("This code is wrong, was used, or has expired.");
    case "not-logged-in":
      return unauthorized(
        "Log in first: POST your username and password to /api/session, or send an API token (Authorization: Bearer).",
      );
    case "bad-token":
      return {
        status: 401,
        detail:
          "This token is not valid: it is unknown, revoked or expired, or its owner's account is disabled. Tokens are made on the page of your account.",
        headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
      };
    case "bad-tokens":
      return {
        status: 429,
        detail: explainBadTokens(failure.refusal),
        headers: rateLimitHeaders(failure.refusal.policy, failure.refusal.decision),
      };
    case "missing-scope":
      return {
        status: 403,
        detail: `This token may not do this: it takes the scope "${failure.scope}".`,
        headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${failure.scope}"` },
      };
    case "foreign-download":
      return { status: 403, detail: "Start this download on the site's own pages." };
    case "not-by-token":
      return {
        status: 403,
        detail: "No token reaches accounts and sessions: send this without the Authorization header.",
      };
    case "disabled":
      return { status: 403, detail: "This account has been disabled by an administrator." };
    case "forbidden":
      return { status: 403, detail: "This belongs to another user, or is for administrators only." };
    case "too-many-drafts":
      return { status: 409, detail: `You have ${draftsMaximum} drafts: publish or delete one first.` };
    case "already-published":
      return { status: 409, detail: "This post is published, and no draft any more." };
    case "outdated":
      return {
        status: 412,
        detail:
          "The post has changed since the version in If-Match: read it again, and send your change with its new ETag.",
      };
    case "not-a-writer":
      return {
        status: 403,
        detail:
          "This account may read and rate but not publish. Open /posts/new in a browser to see who may write and how to request it.",
      };
    case "second-factor-missing":
      return {
        status: 403,
        detail:
          "Administrators of this site need a second factor, and this session has passed none: log in again with a code, or turn two-step verification on at /account first.",
      };
    case "no-such-post":
      return { status: 404, detail: "There is no such post." };
    case "no-such-user":
      return { status: 404, detail: "There is no such user." };
    case "too-many-bookmarks":
      return {
        status: 409,
        detail: `You have saved ${bookmarksMaximum} posts for later, which is the maximum: remove some first.`,
      };
    case "nothing-there":
      return { status: 404, detail: "There is nothing here: it was removed or answered, or never was." };
    case "expired":
      return {
        status: 404,
        detail: "This token is unknown, was used, or has expired: request another email.",
      };
    case "no-mail":
      return {
        status: 409,
        detail: "This site sends no such emails: it has no mail server, or does not know its own address.",
      };
    case "full":
      return {
        status: 409,
        detail:
          "This address got as many of these emails today as it may, or too many wait: try again later.",
      };
    case "unconfirmed":
      return {
        status: 409,
        detail:
          "The address of this account is not confirmed: POST /api/account/confirmation mails the link.",
      };
    case "webhook-off":
      return { status: 409, detail: "This webhook is off: turn it on first." };
    case "webhook-busy":
      return { status: 409, detail: "Too many messages wait for this webhook: test it when they are sent." };
    case "own-role":
      return { status: 409, detail: "No administrator changes their own role: another one does." };
    case "is-administrator":
      return {
        status: 409,
        detail:
          "This is an administrator: another one gives them another role first (PATCH /api/users/{username}).",
      };
    case "last-administrator":
      return {
        status: 409,
        detail: "This is the last administrator who can log in: make another one first.",
      };
    case "already-rated":
      return { status: 409, detail: "You have rated this post already: PUT changes your rating." };
    case "not-rated":
      return { status: 404, detail: "You have not rated this post: POST rates it." };
  }
}

function unauthorized(detail: string): Problem {
  return { status: 401, detail, headers: { "WWW-Authenticate": "Session, Bearer" } };
}

function sentences(errors: FieldErrors): string {
  return Object.values(errors).flat().join(" ");
}

/** The fault of a challenge. */
function explainChallengeFault({ fault }: ChallengeFault): string {
  switch (fault) {
    case "missing":
      return "This takes a solved challenge: GET /api/challenge, solve it, and send it with its solution.";
    case "forged":
      return "This challenge was not issued by this site for this: GET /api/challenge issues one.";
    case "expired":
      return "This challenge has expired: GET /api/challenge issues another.";
    case "unsolved":
      return "The solution is missing or wrong: solve the challenge again and send its solution.";
    case "used":
      return "This challenge was used before: GET /api/challenge issues another.";
    case "too-early":
      return "This was sent too soon after the challenge was issued: wait a few seconds and send it again.";
  }
}
