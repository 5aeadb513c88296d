/** Accounts, invitations, and changes of accounts. */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { accountChangeActors, accountChangeKinds } from "../types.ts";
import { userReference } from "./columns.ts";

export function accountTables(dialect: typeof postgresColumns) {
  const { table, id, integer, bigint, boolean, text, key, index, primaryKey } = dialect;

  const users = table(
    "users",
    {
      id: id(),
      username: text().notNull(),
      /** The username as compared: NFKC and lower case. */
      usernameKey: key("username_key").notNull().unique(),
      /**
       * The name's skeleton (lib/users/usernames.ts); null until it is computed.
       * Accounts of earlier versions have none at first.
       */
      usernameSkeleton: key("username_skeleton").unique(),
      /** Its skeleton in lower case; the two are computed together. */
      lowerCaseSkeleton: key("lower_case_skeleton").unique(),
      email: text().notNull(),
      emailKey: key("email_key").notNull().unique(),
      passwordHash: text("password_hash").notNull(),
      isAdministrator: boolean("is_administrator").notNull().default(false),
      /** Whether they decide on floods of other authors' posts, as administrators do. */
      isModerator: boolean("is_moderator").notNull().default(false),
      /**
       * Whether they may write where not everyone may.
       * Set by an administrator, an invitation or a first post.
       */
      isWriter: boolean("is_writer").notNull().default(false),
      /**
       * When they requested to write.
       * Null when they did not, or the request was answered.
       */
      writingRequestedAt: bigint("writing_requested_at"),
      /** Unused; servers of the version before `sessions` read it during an upgrade. */
      sessionVersion: integer("session_version").notNull().default(1),
      disabledAt: bigint("disabled_at"),
      /** When the account was deleted; its rows are removed in the background. */
      deletedAt: bigint("deleted_at"),
      /** The change of `account_changes` for which their ratings are still to be moved. */
      changeId: bigint("change_id"),
      createdAt: bigint("created_at").notNull(),
      /** When the account began to wait for approval; null when it does not wait. */
      pendingSince: bigint("pending_since"),
      /**
       * A keyed hash of the network that the account was registered from.
       * Set only while the account waits for approval (lib/users/approvals.ts).
       */
      pendingNetwork: key("pending_network"),
      /** When its owner opened a link that was sent to the address; null before. */
      emailConfirmedAt: bigint("email_confirmed_at"),
      /**
       * Whether the site required a confirmed address when the account registered.
       * False again once it is confirmed.
       */
      mustConfirmEmail: boolean("must_confirm_email").notNull().default(false),
    },
    (user) => [
      index("users_by_pending").on(user.pendingSince).where(sql`pending_since is not null`),
      index("users_by_pending_network").on(user.pendingNetwork).where(sql`pending_network is not null`),
      index("users_disabled").on(user.id).where(sql`disabled_at is not null`),
      index("users_with_a_role").on(user.id).where(sql`(is_administrator or is_moderator)`),
      index("users_who_request_to_write")
        .on(user.writingRequestedAt)
        .where(sql`writing_requested_at is not null`),
      index("users_to_change").on(user.changeId, user.id).where(sql`change_id is not null`),
    ],
  );

  const ofUser = userReference(dialect, users);

  /**
   * Changes of accounts and posts, each with its maker, time and reason.
   * Disabling, enabling, approving, rejecting, changes of roles, invitations, unpublishing and featuring.
   */
  const accountChanges = table(
    "account_changes",
    {
      id: id(),
      kind: text({ enum: accountChangeKinds }).notNull(),
      at: bigint().notNull(),
      /** Null for a change that an earlier version recorded without it. */
      actor: text({ enum: accountChangeActors }),
      /** The administrator; null for another actor, or when the account is gone. */
      byUserId: bigint("by_user_id").references(() => users.id, { onDelete: "set null" }),
      why: text(),
      /** How many there were, also those that are gone by now. */
      accounts: integer().notNull().default(0),
      /** The sum of `accountChangeUsers.deciders`, also of accounts that are gone by now. */
      deciders: integer().notNull().default(0),
      /** The post that was changed, which may be gone by now; null for accounts. */
      postId: bigint("post_id"),
      /** The names of accounts that the change removed, a line each. */
      removedNames: text("removed_names"),
      /** How many ratings the accounts had when their ratings were moved. */
      ratings: integer().notNull().default(0),
      /** How many of them are taken out or restored. */
      ratingsMoved: integer("ratings_moved").notNull().default(0),
    },
    (change) => [
      index("account_changes_by_person").on(change.byUserId),
      index("account_changes_of_deciders").on(change.at).where(sql`deciders <> 0`),
    ],
  );

  const accountChangeUsers = table(
    "account_change_users",
    {
      changeId: bigint("change_id")
        .notNull()
        .references(() => accountChanges.id, { onDelete: "cascade" }),
      userId: ofUser(),
      /** 1 when the change gave the right to decide on floods, -1 when it took that away. */
      deciders: integer().notNull().default(0),
    },
    (change) => [
      primaryKey({ columns: [change.changeId, change.userId] }),
      index("account_changes_by_user").on(change.userId),
    ],
  );

  /** Links with which a person may register, or become a writer, once each. */
  const invitations = table(
    "invitations",
    {
      id: id(),
      /** SHA-256 of the link's token, in hexadecimal: the token itself is kept nowhere. */
      tokenHash: key("token_hash").notNull().unique(),
      /** The administrator's note, such as the name of the invited person. */
      note: text().notNull(),
      createdBy: bigint("created_by").references(() => users.id, { onDelete: "set null" }),
      createdAt: bigint("created_at").notNull(),
      expiresAt: bigint("expires_at").notNull(),
      /** Whether the person may write, where not everyone may. */
      makesWriter: boolean("makes_writer").notNull().default(true),
      usedAt: bigint("used_at"),
      /** The account that it made; null while unused, or when the account is gone. */
      usedBy: bigint("used_by").references(() => users.id, { onDelete: "set null" }),
    },
    (invitation) => [
      index("invitations_by_creator").on(invitation.createdBy),
      index("invitations_by_user").on(invitation.usedBy),
    ],
  );

  /**
   * Registrations that become accounts when the link in their mail is used.
   * Several can have one address or name: the first that is confirmed becomes an account.
   */
  const pendingRegistrations = table(
    "pending_registrations",
    {
      id: id(),
      /** SHA-256 of the link's token, in hexadecimal. */
      tokenHash: key("token_hash").notNull().unique(),
      username: text().notNull(),
      email: text().notNull(),
      emailKey: key("email_key").notNull(),
      passwordHash: text("password_hash").notNull(),
      /** The hash of the invitation's token; null without one. */
      invitationHash: text("invitation_hash"),
      /** As `users.pendingNetwork`, for an account that will wait for approval. */
      pendingNetwork: text("pending_network"),
      createdAt: bigint("created_at").notNull(),
      expiresAt: bigint("expires_at").notNull(),
    },
    (registration) => [index("pending_registrations_by_expiry").on(registration.expiresAt)],
  );

  /** Changes of addresses that are not confirmed yet, at most one for each account. */
  const emailChanges = table(
    "email_changes",
    {
      userId: bigint("user_id")
        .primaryKey()
        .references(() => users.id, { onDelete: "cascade" }),
      email: text().notNull(),
      emailKey: key("email_key").notNull(),
      /** SHA-256 of the link's token, in hexadecimal. */
      tokenHash: key("token_hash").notNull().unique(),
      createdAt: bigint("created_at").notNull(),
      expiresAt: bigint("expires_at").notNull(),
    },
    (change) => [index("email_changes_by_expiry").on(change.expiresAt)],
  );

  return { users, accountChanges, accountChangeUsers, invitations, pendingRegistrations, emailChanges };
}
