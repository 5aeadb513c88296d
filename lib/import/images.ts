/**
 * The pictures of imported texts.
 * They are uploaded from the archive, and never fetched from elsewhere.
 */
import { posix } from "node:path";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { Cover } from "../../db/index.ts";
import { translator } from "../i18n/index.ts";
import { imageAddress, imageAt, markdownOf } from "../media/address.ts";
import { altMaximum, uploadMaximumBytes } from "../media/bounds.ts";
import { type NotUploaded, tooLargeFault, type UploadContext, uploadImage } from "../media/upload.ts";
import { control } from "../text/visible-text.ts";
import type { User } from "../users/index.ts";
import type { Source, SourceFile } from "./archive.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

const parser = unified().use(remarkParse).use(remarkGfm);

/** A post that shows an image, and its author. */
interface ImageUse {
  source: string;
  author: User;
}

/** A picture that this site does not take: the post is imported without it. */
interface NotTaken {
  kind: "not-taken";
  problem: string;
}

/** A picture that cannot be saved at present: its post fails, to be imported again. */
interface NotNow {
  kind: "not-now";
  reason: string;
}

export interface ImportedImages {
  /** The text with its pictures from the archive, and notes on the others. */
  place(
    content: string,
    of: ImageUse,
  ): Promise<{ kind: "placed"; content: string; notes: string[] } | NotNow>;
  /** The cover, if the archive has it; notes it if not. */
  cover(
    url: string,
    alt: string,
    of: ImageUse,
    notes: string[],
  ): Promise<{ kind: "placed"; cover: Cover | null } | NotNow>;
}

/**
 * Finds and uploads the pictures of texts.
 * Without `uploads`, as in a trial, only looks whether the archive has them.
 */
export function imagesFrom(
  { files }: Source,
  { uploads, busyMaximumMs, now }: { uploads: UploadContext | undefined; busyMaximumMs: number; now: number },
): ImportedImages {
  const t = translator("importing");
  const byName = Map.groupBy(files.values(), ({ path }) => posix.basename(path).toLowerCase());
  /** Uploaded pictures by their addresses, and unusable files; by author and path. */
  const uploaded = new Map<string, string | NotTaken>();

  async function addressOf(
    file: SourceFile,
    given: string,
    author: User,
  ): Promise<string | NotTaken | NotNow> {
    const key = `${author.id} ${file.path}`;
    const known = uploaded.get(key);
    if (known !== undefined) return known;
    if (file.bytes > uploadMaximumBytes) return { kind: "not-taken", problem: tooLargeFault() };
    if (!uploads) return "";
    const alt = descriptionFrom(given);
    const bytes = await file.read().catch(() => undefined);
    const input = { file: bytes, alt };
    const outcome = await retryWhileBusy(
      () => uploadImage(uploads, { user: author, address: "127.0.0.1", input, now }),
      { isBusy: ({ kind }) => kind === "images-busy", forMs: busyMaximumMs },
    );
    if (outcome.kind !== "uploaded") {
      const fault = faultOf(outcome);
      if (fault.kind === "not-taken") uploaded.set(key, fault);
      return fault;
    }
    const address = imageAddress(outcome.image);
    uploaded.set(key, address);
    return address;
  }

  async function cover(url: string, alt: string, { source, author }: ImageUse, notes: string[]) {
    const file = fileAt(url, source);
    if (!file) notes.push(t("note.noCover", { url }));
    const address = file && (await addressOf(file, alt, author));
    if (typeof address === "object") {
      if (address.kind === "not-now") return address;
      notes.push(t("note.cover", { url, problem: address.problem }));
    }
    const described = descriptionFrom(alt);
    if (typeof address === "string" && described !== alt.trim())
      notes.push(t("note.coverAlt", { maximum: altMaximum }));
    // Empty in a trial.
    const cover = typeof address === "string" && address !== "" ? { address, alt: described } : null;
    return { kind: "placed" as const, cover };
  }

  async function place(content: string, { source, author }: ImageUse) {
    const notes: string[] = [];
    const found: { start: number; end: number; url: string; alt: string }[] = [];
    visit(parser.parse(content), "image", ({ url, alt, position }) => {
      const [start, end] = [position?.start.offset, position?.end.offset];
      if (start !== undefined && end !== undefined) found.push({ start, end, url, alt: alt ?? "" });
    });
    let placed = content;
    // From the end, so that the places before stay as they are.
    for (const { start, end, url, alt } of found.reverse()) {
      const file = fileAt(url, source);
      if (!file) {
        if (/^https?:\/\//i.test(url)) notes.push(t("note.pictureStays", { url }));
        else if (!imageAt(url)) notes.push(t("note.noPicture", { url }));
        continue;
      }
      const address = await addressOf(file, alt, author);
      if (typeof address === "object") {
        if (address.kind === "not-now") return address;
        notes.push(t("note.picture", { url, problem: address.problem }));
        continue;
      }
      const image = imageAt(address);
      if (image) placed = placed.slice(0, start) + markdownOf({ ...image, alt }) + placed.slice(end);
    }
    return { kind: "placed" as const, content: placed, notes: notes.reverse() };
  }

  /** The file of an address: beside the text, or by the end of its path. */
  function fileAt(url: string, source: string): SourceFile | undefined {
    const path = pathIn(url);
    if (path === undefined) return undefined;
    const beside = posix.normalize(posix.join(posix.dirname(source), path));
    const direct = files.get(path.replace(/^\/+/, "")) ?? files.get(beside);
    if (direct) return direct;
    const wanted = `/${path.replace(/^(?:\.?\.?\/)+/, "")}`;
    return byName.get(posix.basename(path).toLowerCase())?.find(({ path: known }) => {
      const has = `/${known}`;
      return has.endsWith(wanted) || wanted.endsWith(has);
    });
  }

  return { place, cover };
}

/** A description as images have it: one line, cut where it is too long. */
function descriptionFrom(text: string): string {
  const oneLine = text.replaceAll(new RegExp(control, "gu"), " ").trim();
  return oneLine
    .slice(0, altMaximum)
    .replace(/\p{Surrogate}/gu, "")
    .trim();
}

/** Why a picture was not saved, as sentences of the report. */
function faultOf(outcome: NotUploaded): NotTaken | NotNow {
  const t = translator("importing");
  switch (outcome.kind) {
    case "invalid":
      return { kind: "not-taken", problem: Object.values(outcome.errors).flat().join(" ") };
    case "denied":
    case "not-a-writer":
    case "not-logged-in":
      return { kind: "not-taken", problem: t("note.noUploads") };
    case "images-busy":
      return { kind: "not-now", reason: t("reason.imagesBusy") };
    case "disk-full":
      return { kind: "not-now", reason: t("reason.diskFull") };
    case "limited":
    case "unavailable":
      return { kind: "not-now", reason: t("reason.unavailable") };
  }
}

/** The path in an address, decoded; undefined when it has none. */
function pathIn(url: string): string | undefined {
  const path = /^https?:\/\//i.test(url) ? URL.parse(url)?.pathname : url.replace(/[?#].*$/s, "");
  try {
    return path ? decodeURIComponent(path) : undefined;
  } catch {
    return path;
  }
}
