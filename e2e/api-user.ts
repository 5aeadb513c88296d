/** Users of the JSON API: each with cookies and a name of its own. */
import { type APIRequestContext, type APIResponse, expect } from "playwright/test";
import { solved } from "../testing/registration.ts";
import { newName, password } from "./people.ts";
import { test as base } from "./test.ts";

export interface ApiUser {
  name: string;
  api: APIRequestContext;
}

interface Fixtures {
  /** Registers a user and keeps them logged in. */
  newUser(baseURL?: string): Promise<ApiUser>;
}

/** `test` for calls between programs, without a page. */
export const test = base.extend<Fixtures>({
  newUser: async ({ playwright, baseURL }, use) => {
    const contexts: APIRequestContext[] = [];
    await use(async (server = baseURL) => {
      const api = await playwright.request.newContext(server === undefined ? {} : { baseURL: server });
      contexts.push(api);
      const name = newName("user");
      const proof = await solved(api.get("/api/challenge"));
      const account = { username: name, email: `${name}@example.org`, password, ...proof };
      const answer = await api.post("/api/users", { data: account });
      expect(answer.status(), await answer.text()).toBe(201);
      return { name, api };
    });
    await Promise.all(contexts.map((context) => context.dispose()));
  },
});

/** Publishes a post and gives its path in the API. */
export async function publish({ api }: ApiUser, title = "A post"): Promise<string> {
  const answer = await api.post("/api/posts", { data: { title, content: "Some text." } });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.headers().location ?? "";
}

/** Asserts that an answer is a problem of this status, and gives its body. */
export async function expectProblem(answer: APIResponse, status: number) {
  expect(answer.status(), await answer.text()).toBe(status);
  expect(answer.headers()["content-type"]).toBe("application/problem+json");
  expect(answer.headers()["cache-control"]).toContain("no-store");
  const body = await answer.json();
  expect(body).toMatchObject({ type: expect.any(String), title: expect.any(String), status });
  expect(body.detail).toMatch(/\w/);
  return body;
}
