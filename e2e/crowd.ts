/**
 * Many people at once, without browsers.
 * Each has an account and its cookie, and uses the JSON API.
 */
import { registerAt } from "../testing/registration.ts";
import { newName, password, ratingPath } from "./people.ts";
import type { Server } from "./server.ts";

export class Member {
  readonly username: string;
  readonly #cookie: string;
  readonly #server: Pick<Server, "origin">;

  constructor(server: Pick<Server, "origin">, username: string, cookie: string) {
    this.#server = server;
    this.username = username;
    this.#cookie = cookie;
  }

  /** The same person at another server that knows them. */
  at(server: Pick<Server, "origin">): Member {
    return new Member(server, this.username, this.#cookie);
  }

  /** Sends a request as this person. Throws when no answer comes. */
  send(method: string, path: string, data?: unknown): Promise<Response> {
    return fetch(this.#server.origin + path, {
      method,
      headers: { Cookie: this.#cookie, "Content-Type": "application/json" },
      ...(data !== undefined && { body: JSON.stringify(data) }),
    });
  }

  /** Gives a post a first rating. */
  rate(slug: string, score: number): Promise<Response> {
    return this.send("POST", ratingPath(slug), { score });
  }

  /** Changes the rating of a post. */
  change(slug: string, score: number): Promise<Response> {
    return this.send("PUT", ratingPath(slug), { score });
  }
}

/** Makes `count` accounts, a few at a time: hashing passwords is slow on purpose. */
export async function gather(server: Pick<Server, "origin">, count: number): Promise<Member[]> {
  const members: Member[] = [];
  while (members.length < count) {
    const missing = Math.min(4, count - members.length);
    members.push(...(await Promise.all(Array.from({ length: missing }, () => join(server)))));
  }
  return members;
}

async function join(server: Pick<Server, "origin">): Promise<Member> {
  const username = newName("member");
  return new Member(server, username, await registerAt(server.origin, { username, password }));
}
