/** The source and the target of a copy: databases of either dialect. */
import type { CopiedRow, CopiedTable } from "./tables.ts";

export interface CopySource {
  /**
   * Rows in the order of the key, at most `limit`.
   * Those after the row with the key `after` when there is one.
   */
  rows(table: CopiedTable, after: CopiedRow | undefined, limit: number): Promise<CopiedRow[]>;
  count(table: CopiedTable): Promise<number>;
  /**
   * The highest number ever given to a row of a numbered table; 0 for none.
   * Removed rows are included.
   */
  lastNumber(table: CopiedTable): Promise<number>;
  /**
   * Closes the database.
   * A target that is filled in one transaction rolls back an unfinished copy.
   */
  close(): Promise<void>;
}

export interface CopyTarget extends CopySource {
  /** A text as this database can keep it. */
  keepable(text: string): string;
  /**
   * Saves all of the rows or none.
   * Texts of posts among them are added to the search index.
   */
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** From now on, rows are numbered above `last`. */
  setLastNumber(table: CopiedTable, last: number): Promise<void>;
  /** Called when the copy is complete and verified. */
  finish(): Promise<void>;
}
