/** The parts of a user's copy that are records: requests, decisions, emails. */
import type { Database } from "../../db/index.ts";
import { rowsOf } from "../paging/rows-of.ts";

export async function* withdrawnRatingsOf({ exports }: Database, userId: number) {
  for await (const { slug, title } of rowsOf((...page) => exports.withdrawnRatingsOf(userId, ...page)))
    yield { post: slug, title };
}

/**
 * The user's requests, decisions and invitations, and records about them.
 * A record by another person names that person's right, as the page of a post does, and not the person. It has the
 * reason only where the site shows it to the user: other reasons, and notes of invitations, are for administrators.
 */
export async function* recordsOf({ exports }: Database, userId: number) {
  for await (const request of rowsOf((...page) => exports.reviewRequestsOf(userId, ...page))) {
    const { slug, title, flood, at, why, answeredAt } = request;
    yield {
      ...{ kind: "request-for-review", post: slug, title, flood, why },
      requestedAt: time(at),
      answeredAt: time(answeredAt),
    };
  }
  for await (const decision of rowsOf((...page) => exports.windowDecisionsBy(userId, ...page))) {
    const { slug, title, flood, at, status, role, why } = decision;
    yield {
      ...{ kind: "decision-on-flood", post: slug, title, flood, decision: status, why },
      decidedAt: time(at),
      decidedAs: role,
    };
  }
  for await (const change of rowsOf((...page) => exports.changesOf(userId, ...page))) {
    const { kind, at, actor, isByUser, slug } = change;
    const why = isByUser || kind === "unpublish" ? change.why : null;
    yield { kind: "record", change: kind, at: time(at), by: isByUser ? "you" : actor, why, post: slug };
  }
  for await (const invitation of rowsOf((...page) => exports.invitationsBy(userId, ...page))) {
    const { note, makesWriter, createdAt, expiresAt, usedAt } = invitation;
    yield {
      ...{ kind: "invitation", note, role: makesWriter ? "writer" : "reader" },
      madeAt: time(createdAt),
      expiresAt: time(expiresAt),
      usedAt: time(usedAt),
    };
  }
}

/** Emails, without the faults: they describe the site's mail server. */
export async function* mailsOf({ exports }: Database, userId: number) {
  for await (const mail of rowsOf((...page) => exports.mailsTo(userId, ...page))) {
    const { kind, address, createdAt, finishedAt, fault } = mail;
    const finished = time(finishedAt);
    const ended =
      fault === null ? { sentAt: finished, givenUpAt: null } : { sentAt: null, givenUpAt: finished };
    yield { kind, address, requestedAt: time(createdAt), ...ended };
  }
}

/** A moment as text. */
export function time(at: number): string;
export function time(at: number | null): string | null;
export function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
