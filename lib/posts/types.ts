import type { Database } from "../../db/index.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard } from "../limits/types.ts";
import type { Renderer } from "../markdown/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";

export interface PostContext {
  database: Database;
  limits: Limits;
  guard: Guard;
  renderer: Renderer;
  whoMayWrite: WhoMayWrite;
}

/** Too many texts wait to be rendered. */
export type Busy = { kind: "busy" };

/** Not everyone may write here, and this user may not. */
export type NotAWriter = { kind: "not-a-writer" };
/** The user has as many drafts as one may have. */
export type TooManyDrafts = { kind: "too-many-drafts" };
/** A published post cannot become a draft again. */
export type AlreadyPublished = { kind: "already-published" };
