/**
 * The results of the parts of `npm run bench:nodes`, for the simulation.
 * That comes last, and each part has a process of its own, so they go through a file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const file = ".cache/bench-nodes.json";

/** CPU milliseconds of one request, except `transactionMs`. */
const schema = z.object({
  /** From a rating transaction's first lock to its commit, without other requests. */
  transactionMs: z.number(),
  /** Of a node: a page for a visitor or a reader with a session, and a rating. */
  nodePageMs: z.number(),
  nodeUserPageMs: z.number(),
  nodeRatingMs: z.number(),
  /** Of PostgreSQL. */
  databasePageMs: z.number(),
  databaseUserPageMs: z.number(),
  databaseRatingMs: z.number(),
  redisRatingMs: z.number(),
  /** Of a node: a visitor's page from its memory. */
  nodeHitMs: z.number(),
  /** Of nginx: a page that a node has in memory, and any other answer of a node. */
  nginxHitMs: z.number(),
  nginxPassMs: z.number(),
  /** Ratings a second of one post that 200 people rate at once. */
  hotPostPerSecond: z.number(),
});

export type Measured = z.infer<typeof schema>;

/** Adds figures to the saved ones. */
export function saveMeasured(figures: Partial<Measured>): void {
  const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  mkdirSync(".cache", { recursive: true });
  writeFileSync(file, JSON.stringify({ ...schema.partial().parse(before), ...figures }, undefined, 2));
}

/** Throws when a part has not been run. */
export function readMeasured(): Measured {
  const read = schema.safeParse(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
  if (!read.success) throw new Error("Not all has been measured yet: npm run bench:nodes does.");
  return read.data;
}
