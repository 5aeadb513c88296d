/** The kinds of mail: the values in their texts, and their bounds. */
import { z } from "zod";
import type { MailKind } from "../../db/index.ts";
import { decidedStatuses } from "../../db/types.ts";
import { dayMs, hourMs } from "../time/units.ts";

/** How long an account's former address can be restored. */
export const restorableMs = 7 * dayMs;

/** How many decisions or posts an email lists; it gives the number of the others. */
export const listedMaximum = 8;

const ofAccount = z.object({ username: z.string() });

/**
 * The values in each kind's text.
 * Checked again when the mail is written, because another version of the app may have queued it.
 */
export const mailData = {
  /** The account, and with it the rest of the text, is looked up when it is sent. */
  "password-reset": z.object({}),
  "confirm-email": z.object({}),
  /** For the address of an account, another text is sent. */
  "confirm-registration": z.object({}),
  "confirm-new-email": z.object({}),
  /** To the old address, when a change is requested. */
  "email-change": ofAccount,
  /** To the old address, when it is changed. */
  "email-changed": ofAccount,
  flood: z.object({
    username: z.string(),
    title: z.string(),
    ratings: z.number(),
    /** When they count unless a person decides, in milliseconds. */
    until: z.number(),
    /** Whether the author decides, as no other user could; absent before. */
    mayDecide: z.boolean().default(false),
    url: z.string(),
    settingsUrl: z.string(),
  }),
  decisions: z.object({
    username: z.string(),
    decisions: z.array(z.object({ title: z.string(), status: z.enum(decidedStatuses), slug: z.string() })),
    more: z.number(),
  }),
  "undecided-floods": z.object({
    username: z.string(),
    floods: z.array(
      z.object({
        title: z.string(),
        ratings: z.number(),
        /** The time they count at without a decision; null where a review is requested. */
        until: z.number().nullable(),
        slug: z.string(),
        number: z.number(),
      }),
    ),
    hasMore: z.boolean(),
  }),
  "confirm-subscription": z.object({}),
  "new-posts": z.object({
    posts: z.array(z.object({ title: z.string(), author: z.string(), slug: z.string() })),
    more: z.number(),
  }),
  /** To the administrator who requests it, to see whether emails arrive. */
  test: ofAccount,
  "password-changed": z.object({
    username: z.string(),
    by: z.enum(["owner", "link", "operator"]),
  }),
} as const satisfies Record<MailKind, z.ZodType>;

export type DataOf<Kind extends MailKind> = z.infer<(typeof mailData)[Kind]>;

/**
 * How many mails of a kind an address gets in a day, and how long one may wait.
 * Each kind counts by itself, so that one that an attacker can cause does not use up another.
 */
export const mailLimits: Record<MailKind, { perDay: number; validMs: number }> = {
  "password-reset": { perDay: 15, validMs: hourMs },
  "confirm-email": { perDay: 5, validMs: dayMs },
  "confirm-registration": { perDay: 10, validMs: 7 * dayMs },
  "confirm-new-email": { perDay: 5, validMs: dayMs },
  "email-change": { perDay: 5, validMs: dayMs },
  "email-changed": { perDay: 5, validMs: 3 * dayMs },
  flood: { perDay: 5, validMs: dayMs },
  decisions: { perDay: 2, validMs: 3 * dayMs },
  "undecided-floods": { perDay: 2, validMs: dayMs },
  "confirm-subscription": { perDay: 5, validMs: 3 * dayMs },
  "new-posts": { perDay: 2, validMs: 2 * dayMs },
  test: { perDay: 10, validMs: hourMs },
  "password-changed": { perDay: 10, validMs: 3 * dayMs },
};
