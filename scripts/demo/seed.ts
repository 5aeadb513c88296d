// Over 200 lines: one demo, filled step by step.

/**
 * Fills an empty database with a demo:
 * posts with tags and images, drafts, readers, ratings, and three floods of zeros. The limiter refused one flood, one is
 * held, and one is excluded. Ratings go through lib/ratings at simulated times, so the pages show real decisions.
 *
 * Run as a command it fills the database of DATABASE_URL unless that has posts, writes an archive to import, and prints how
 * to log in.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, openDatabase } from "../../db/index.ts";
import { type ArchiveFile, zipOf } from "../../lib/archive/zip.ts";
import { authSecret } from "../../lib/auth/secret.ts";
import { derivedKey } from "../../lib/auth/token.ts";
import { createGuard } from "../../lib/limits/guard.ts";
import { limitsFrom } from "../../lib/limits/index.ts";
import { createRenderer, type Renderer } from "../../lib/markdown/index.ts";
import { imageAddress, markdownOf } from "../../lib/media/address.ts";
import { mediaFolder } from "../../lib/media/folder.ts";
import { limitCounters } from "../../lib/observe/limit-counters.ts";
import { observedGuard } from "../../lib/observe/observed-guard.ts";
import { createPost, type PostContext, updatePost } from "../../lib/posts/index.ts";
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { scoring } from "../../lib/ratings/tally/scoring-settings.ts";
import { mediaFolderPath } from "../../lib/settings/data-folder.ts";
import { env, parseSettings } from "../../lib/settings/env.ts";
import { dayMs, hourMs } from "../../lib/time/units.ts";
import type { User } from "../../lib/users/index.ts";
import { comparisonKey } from "../../lib/users/schema.ts";
import { toUser } from "../../lib/users/user-of-row.ts";
import { skeletonsOf } from "../../lib/users/usernames.ts";
import { writeArchive } from "../write-archive.ts";
import { type DrawingName, type DrawnImage, drawImages } from "./drawings.ts";
import { demoLogin, type PlannedPost, plannedDrafts, plannedPosts, readerName } from "./plan.ts";
import { type DemoReader, execute, shuffled, triesOf } from "./ratings.ts";
import { setUpSite } from "./site.ts";

const readerCount = 320;
/** The app's default limits, for the same demo under every installation's settings. */
const limits = limitsFrom(parseSettings({}));
const holdingLimits = limitsFrom(parseSettings({ RATING_OVERFLOW: "hold" }));

/** The demo's images by name, whose files are written. */
type Images = ReadonlyMap<DrawingName, DrawnImage>;

/**
 * Fills an empty database in one transaction, the same for the same `now`.
 * `now` is in milliseconds, `webhookKey` gives the key that encrypts the secrets of webhooks. The app's own transactions
 * are parts of it. Without `images` no post has one.
 */
export async function seed(
  database: Database,
  now: number,
  webhookKey: () => Buffer,
  images: Images = new Map(),
): Promise<void> {
  const planned = [...plannedPosts, ...plannedDrafts];
  const texts = planned.map((each) => textOf(each, images).content);
  const renderer = await renderAll(texts.flatMap((text) => [text, withoutLastParagraph(text)]));
  await database.transaction(async () => {
    await fill(database, { renderer, images, now });
    await setUpSite({ database, webhookKey, now, images, ...(await addPeople(database, now)) });
  });
}

/**
 * Renders the texts first: a transaction awaits nothing but the database.
 * Resolves to a renderer that has their HTML ready.
 */
async function renderAll(texts: readonly string[]): Promise<Renderer> {
  const renderer = createRenderer();
  const renderings = new Map<string, Awaited<ReturnType<Renderer["render"]>>>();
  for (const text of texts) renderings.set(text, await renderer.render(text, null));
  await renderer.close();
  return { ...renderer, render: async (text) => renderings.get(text) ?? { kind: "busy" } };
}

async function fill(
  database: Database,
  { renderer, images, now }: { renderer: Renderer; images: Images; now: number },
): Promise<void> {
  // No time passes while a request is decided, and a database that cannot be used is a failure, not a refusal.
  const report = (error: unknown) => {
    throw error;
  };
  const guard = observedGuard(createGuard({ database, clock: () => 0, report }), limits);
  const context = { database, limits, guard, renderer, scoring, whoMayWrite: "anyone" as const };
  const random = seededRandom(2_718);
  const authors = await addAuthors(database, now);
  const raters = await addReaders(database, now);
  for (const planned of plannedPosts) {
    const createdAt = now - Math.round(planned.daysAgo * dayMs);
    const user = authorOf(planned, authors);
    await addImages(database, planned, { images, userId: user.id, createdAt });
    const { cover: coverName, tags, isUnlisted: unlisted } = planned;
    const cover = coverName && images.get(coverName);
    const options = { tags, unlisted, cover: cover && imageAddress(cover) };
    const slug = await publish(context, user, { planned, images, options, createdAt });
    const tries = triesOf(planned, shuffled(raters, random), { createdAt, now, random });
    const rating = planned.holds ? { ...context, limits: holdingLimits } : context;
    for (const each of tries) await execute(rating, slug, each);
  }
  for (const { publishedInDays, ...planned } of plannedDrafts) {
    const publishAt =
      publishedInDays === undefined ? undefined : new Date(now + publishedInDays * dayMs).toISOString();
    const input = {
      ...textOf(planned, images),
      tags: planned.tags,
      draft: publishAt === undefined,
      publishAt,
    };
    await save(context, authorOf(planned, authors), input, now);
  }
  await database.operations.addLimitCounts(limitCounters().take());
}

async function addAuthors(database: Database, now: number): Promise<Map<string, User>> {
  const { administrator } = demoLogin;
  const authors = new Map<string, User>();
  for (const username of [administrator, ...plannedPosts.map(({ author }) => author)]) {
    if (authors.has(username)) continue;
    const isAdministrator = username === administrator;
    const id = await addUser(database, username, now - 120 * dayMs, isAdministrator);
    authors.set(username, { id, username, isAdministrator, isModerator: false });
  }
  return authors;
}

async function addReaders(database: Database, now: number): Promise<DemoReader[]> {
  const readers: DemoReader[] = [];
  for (let index = 0; index < readerCount; index += 1) {
    const username = readerName(index);
    const id = await addUser(database, username, now - 119 * dayMs + index * 4 * hourMs);
    readers.push({ id, username });
  }
  return readers;
}

function addUser(
  database: Database,
  username: string,
  createdAt: number,
  isAdministrator = false,
): Promise<number> {
  const usernameKey = comparisonKey(username);
  const email = `${encodeURIComponent(usernameKey).replaceAll("%", "").toLowerCase()}@example.org`;
  const { passwordHash } = demoLogin;
  return database.users.insert({
    username,
    usernameKey,
    ...skeletonsOf(username),
    email,
    emailKey: email,
    passwordHash,
    isAdministrator,
    createdAt,
  });
}

function authorOf({ author }: { author: string }, authors: Map<string, User>): User {
  const user = authors.get(author);
  if (!user) throw new Error(`The author ${author} was not added.`);
  return user;
}

/** Adds the images of a post as its author's, uploaded a minute before. */
async function addImages(
  { media }: Database,
  { cover, image }: PlannedPost,
  { images, userId, createdAt }: { images: Images; userId: number; createdAt: number },
): Promise<void> {
  for (const name of [cover, image]) {
    const drawn = name && images.get(name);
    if (drawn) await media.insert({ ...drawn, userId, createdAt: createdAt - 60_000 });
  }
}

/** Publishes a post; one that had another title first gets its own two hours later. */
async function publish(
  context: PostContext,
  user: User,
  {
    planned: { file, firstTitle, ...planned },
    images,
    options,
    createdAt,
  }: { planned: PlannedPost; images: Images; options: object; createdAt: number },
): Promise<string> {
  const text = textOf({ file, ...planned }, images);
  if (firstTitle === undefined) return save(context, user, { ...text, ...options }, createdAt);
  const first = { title: firstTitle, content: withoutLastParagraph(text.content), ...options };
  const slug = await save(context, user, first, createdAt);
  const input = { ...text, slug: file };
  const now = createdAt + 2 * hourMs;
  const outcome = await updatePost(context, { user, slug, address: "192.0.2.1", input, now });
  if (outcome.kind !== "updated") throw new Error(`The post ${text.title} was not changed.`);
  return file;
}

function withoutLastParagraph(text: string): string {
  return text.split("\n\n").slice(0, -1).join("\n\n") || text;
}

async function save(
  context: PostContext,
  user: User,
  input: { title: string; content: string },
  now: number,
): Promise<string> {
  const outcome = await createPost(context, { user, address: "192.0.2.1", input, now });
  if (outcome.kind !== "created") throw new Error(`The post ${input.title} was not created.`);
  return outcome.slug;
}

/** A planned post's text, with its image after the first paragraph. */
function textOf(
  { file, image: imageName }: { file: string; image?: DrawingName },
  images: Images,
): { title: string; content: string } {
  const text = readFileSync(join(import.meta.dirname, "posts", `${file}.md`), "utf8");
  const [, title = "", content = ""] = /^# (.+)\n\n([\s\S]+)$/.exec(text) ?? [];
  const image = imageName && images.get(imageName);
  const [first = "", ...rest] = content.trim().split("\n\n");
  return { title, content: [first, ...(image ? [markdownOf(image)] : []), ...rest].join("\n\n") };
}

/** The people of `setUpSite`. */
async function addPeople(
  database: Database,
  now: number,
): Promise<Record<"administrator" | "moderator" | "author" | "reader", User>> {
  await addUser(database, demoLogin.moderator, now - 90 * dayMs);
  const userNamed = async (username: string) => {
    const row = await database.users.byUsernameKey(comparisonKey(username));
    if (!row) throw new Error(`There is no user ${username}.`);
    return toUser(row);
  };
  return {
    administrator: await userNamed(demoLogin.administrator),
    moderator: await userNamed(demoLogin.moderator),
    author: await userNamed(demoLogin.author),
    reader: await userNamed(demoLogin.reader),
  };
}

/**
 * The files of an archive to try an import with.
 * Its posts are of an author who has them elsewhere.
 */
async function* importFiles(): AsyncGenerator<ArchiveFile> {
  const folder = join(import.meta.dirname, "import");
  for (const path of readdirSync(folder).toSorted())
    yield { path, content: readFileSync(join(folder, path), "utf8"), changedAt: 0 };
}

if (import.meta.main) {
  const database = await openDatabase(env.DATABASE_URL);
  const webhookKey = () => derivedKey(authSecret(), "webhooks");
  if ((await database.posts.recent(1)).length === 0) {
    const images = await drawImages(mediaFolder(mediaFolderPath(env)));
    await seed(database, Date.now(), webhookKey, images);
  }
  await database.close();
  const archive = join(dirname(mediaFolderPath(env)), "demo-import.zip");
  await writeArchive(archive, () => zipOf(importFiles()), { force: true });
  const { administrator, moderator, author, reader, password } = demoLogin;
  process.stdout.write(
    `Log in as ${author} (writer), ${reader} (reader), ${moderator} (moderator) or ${administrator} (administrator), password ${password}\n` +
      `An archive to import on /admin/archive: ${archive}\n`,
  );
}
