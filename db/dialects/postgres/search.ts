/**
 * Finding posts by their words, as SQLite's full-text search finds them.
 *
 * SQLite's own tokenizer, of an empty database in memory, defines the words and the marks that are left out of letters.
 * A second set of such rules would never be quite the same.
 *
 * A post is kept as `words`, each once, which an index finds, and as `spelled`, all words of its title and its content in
 * their order. Where one word of a query is several to SQLite (a vowel sign of Devanagari parts them), they must
 * stand side by side. A tsvector's positions would not do for that: it keeps no more than 256 of a word, and none beyond
 * 16,383.
 */
import Sqlite from "better-sqlite3";
import { eq, sql } from "drizzle-orm";
import type { Dialect, Search } from "../../dialect.ts";
import type { PostInput } from "../../types.ts";
import { postsSearch } from "./schema.ts";

/**
 * PostgreSQL takes words of less than 2 KiB; a character has up to four bytes.
 * Longer ones are distinguished by `spelled`.
 */
const charactersAtMost = 500;

interface SearchText {
  words: string[];
  spelled: string;
}

interface SearchCondition {
  /** A tsquery. */
  query: string;
  /** Patterns for `like`, all of which `spelled` must match. */
  patterns: string[];
}

export type Tokenizer = ReturnType<typeof createTokenizer>;

export function createTokenizer() {
  const sqlite = new Sqlite(":memory:");
  sqlite.exec(`
    create virtual table text using fts5(
      line, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
    );
    create virtual table token using fts5vocab(text, instance);
  `);
  const insert = sqlite.prepare<[line: string]>("insert into text (rowid, line) values (1, ?)");
  const tokens = sqlite.prepare<[], string>("select term from token order by offset").pluck();
  const clear = sqlite.prepare("delete from text where rowid = 1");

  function tokensOf(line: string): string[] {
    insert.run(line);
    const found = tokens.all();
    clear.run();
    return found;
  }

  return {
    /** How a post is kept, of its folded title and content. */
    textOf(title: string, content: string): SearchText {
      const lines = [tokensOf(title), tokensOf(content)];
      const words = new Set(lines.flat().map(cut));
      // No query contains the line's end: no words stand side by side across it.
      return { words: [...words], spelled: lines.map((line) => ` ${line.join(" ")} `).join("\n") };
    },
    /**
     * The search query for posts with all of these folded words.
     * The last one may be the beginning of a word. Undefined when nothing can be found.
     */
    conditionOf(searched: readonly string[]): SearchCondition | undefined {
      const phrases = searched
        .map((word, index) => ({ tokens: tokensOf(word), isBeginning: index === searched.length - 1 }))
        .filter(({ tokens }) => tokens.length > 0);
      if (phrases.length === 0) return undefined;
      const query = phrases.flatMap(({ tokens, isBeginning }) =>
        tokens.map((token, index) => {
          const lexeme = `'${cut(token).replace(/['\\]/g, "$&$&")}'`;
          return isBeginning && index === tokens.length - 1 ? `${lexeme}:*` : lexeme;
        }),
      );
      const patterns = phrases
        .filter(({ tokens }) => tokens.length > 1 || tokens.some((token) => token.length >= charactersAtMost))
        .map(
          ({ tokens, isBeginning }) =>
            `% ${tokens.join(" ").replace(/[%_\\]/g, "\\$&")}${isBeginning ? "" : " "}%`,
        );
      return { query: query.join(" & "), patterns };
    },
    close: () => void sqlite.close(),
  };
}

function cut(token: string): string {
  return token.length <= charactersAtMost ? token : [...token].slice(0, charactersAtMost).join("");
}

/** The queries of the search index. */
export function searchQueries(
  { statements, tables: { posts } }: Pick<Dialect, "statements" | "tables">,
  tokenizer: Tokenizer,
): Search {
  const { placeholder } = sql;

  function columnsOf({ searchTitle, searchContent }: PostInput) {
    const { words, spelled } = tokenizer.textOf(searchTitle, searchContent);
    return { words: sql`array_to_tsvector(${sql.param(words)}::text[])`, spelled };
  }

  return {
    condition: sql`${posts.id} in (select post_id from posts_search where words @@ ${placeholder("query")}::tsquery and spelled like all (${placeholder("patterns")}::text[]))`,
    valuesFor: (words) => {
      const condition = tokenizer.conditionOf(words);
      return condition && { ...condition };
    },
    async insert(postId, post) {
      await statements.insert(postsSearch).values({ postId, ...columnsOf(post) });
    },
    async update(postId, post) {
      await statements.update(postsSearch).set(columnsOf(post)).where(eq(postsSearch.postId, postId));
    },
  };
}
