/** Creating posts, for their authors. */
import type { Database } from "../../db/index.ts";
import type { Client } from "../limits/access-rules.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused, Verdict } from "../limits/types.ts";
import { namesIn } from "../media/address.ts";
import type { User } from "../users/types.ts";
import { toUser } from "../users/user-of-row.ts";
import { mayWrite } from "../users/writers.ts";
import { type Invalid, validate } from "../validation.ts";
import { applyPublication, outcomeOf, type SavedPost } from "./apply-publication.ts";
import { coverOf } from "./covers.ts";
import { type CreatedBefore, createdBefore, saveCreated, stateKey } from "./idempotency.ts";
import { draftsMaximum } from "./lengths.ts";
import { firstPublicationOf, slugFor } from "./options.ts";
import { postSchema } from "./schema.ts";
import { renderText, withSearchText } from "./text.ts";
import type { Busy, NotAWriter, PostContext, TooManyDrafts } from "./types.ts";

type Created =
  | ({ kind: "created" } & SavedPost)
  /** The account was deleted or disabled meanwhile. */
  | { kind: "not-logged-in" }
  | NotAWriter
  | TooManyDrafts
  | Refused
  | Invalid
  | Busy;

interface CreateRequest {
  user: User;
  address: string;
  input: unknown;
  now: number;
}

/**
 * Saves a post, and publishes it unless it is a draft or has a date in the future.
 * `input` is unvalidated; see `postSchema`. Creates no second post for an idempotency key.
 */
export function createPost(context: PostContext, request: CreateRequest): Promise<Created>;
export function createPost(
  context: PostContext,
  request: CreateRequest & { idempotencyKey: string | undefined },
): Promise<Created | CreatedBefore>;
export async function createPost(
  { database, limits, guard, renderer, whoMayWrite }: PostContext,
  { user, address, input, now, idempotencyKey }: CreateRequest & { idempotencyKey?: string | undefined },
): Promise<Created | CreatedBefore> {
  if (!mayWrite(user, whoMayWrite)) return { kind: "not-a-writer" };
  const validated = validate(postSchema, input);
  if (!validated.ok) return { kind: "invalid", errors: validated.errors };
  if (user.isPending) return { kind: "denied", isPending: true };
  const sent = idempotencyKey === undefined ? null : { user, idempotencyKey, input: validated.value };
  // Before the limits: sending it again later costs nothing.
  const before = sent && (await createdBefore(database, sent, now));
  if (before) return before;
  const { title, content, lang, ...options } = validated.value;
  const possible = firstPublicationOf(options, now);
  if (possible.kind === "invalid") return possible;
  const client: Client = { address, username: user.username };
  // Before the text is rendered, and in a transaction of its own: the cost of rendering is spent in any case.
  const checked = await checkLimits(guard, { client, checks: [[limits["post.render"], user.id]], now });
  if (checked.kind !== "allowed") return checked;
  const text = await renderText(renderer, content, user.id);
  if ("kind" in text) return text;
  const post = { ...withSearchText(title, text), chosenLang: lang, chosenExcerpt: options.excerpt };
  return guard.run<Created | CreatedBefore>({
    client,
    now,
    ...(sent && { mutexKey: stateKey(sent) }),
    plan: async () => {
      // Sent twice at the same moment: the first reading in this transaction locks the key.
      const meanwhile = sent && (await createdBefore(database, sent, now));
      if (meanwhile) return { outcome: meanwhile };
      const execute = async ({ refused }: Verdict, at: number): Promise<Created> => {
        if (refused) return refused;
        if (!(await database.users.active(user.id))) return { kind: "not-logged-in" };
        const author = await database.users.byId(user.id);
        // The right may have been taken away while the text was rendered.
        if (!author || !mayWrite(toUser(author), whoMayWrite)) return { kind: "not-a-writer" };
        const publication = firstPublicationOf(options, at);
        if (publication.kind === "invalid") return publication;
        if (publication.kind !== "published" && (await hasAllDrafts(database, user)))
          return { kind: "too-many-drafts" };
        const named = await slugFor(database, { slug: options.slug, title }, null);
        if (named.kind === "invalid") return named;
        const covered = await coverOf(database, user.id, options.cover);
        if (covered.kind === "invalid") return covered;
        // An author keeps the right when later only chosen users may write.
        if (!author.isWriter) await database.users.setWriter(user.id, true);
        const { slug } = named;
        const isUnlisted = options.unlisted ?? false;
        const saved = { ...post, slug, authorId: user.id, createdAt: at, publishedAt: null, isUnlisted };
        const id = await database.posts.insert(saved);
        const { cover } = covered;
        if (cover) await database.posts.setOptions(id, { cover });
        await database.media.saveUses(id, namesIn(`${content} ${cover?.address ?? ""}`));
        if (options.tags?.length)
          await database.tags.setOf(id, options.tags, { names: publication.kind === "published" });
        await applyPublication(database, id, publication, at);
        if (sent) await saveCreated(database, { ...sent, postId: id }, at);
        return { kind: "created", slug, ...outcomeOf(publication) };
      };
      return { checks: [[limits["post.user"], user.id]], execute };
    },
  });
}

async function hasAllDrafts({ posts }: Database, { id }: User): Promise<boolean> {
  return (await posts.countDrafts(id)) >= draftsMaximum;
}
