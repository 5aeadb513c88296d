/** The JSON API's contract: every call, its answers, and its refusals. */
import { expect } from "playwright/test";
import { solved } from "../testing/registration.ts";
import { expectProblem, publish, test } from "./api-user.ts";
import { password } from "./people.ts";

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test.describe("accounts", () => {
  test("registering logs in; the name and the email are then taken", async ({ newUser, request }) => {
    const { name, api } = await newUser();
    expect((await api.post("/api/posts", { data: { title: "Mine", content: "x" } })).status()).toBe(201);
    const proof = await solved(request.get("/api/challenge"));
    const again = { username: name.toUpperCase(), email: `${name}@example.org`, password, ...proof };
    const body = await expectProblem(await request.post("/api/users", { data: again }), 409);
    expect(Object.keys(body.errors)).toEqual(["username", "email"]);
  });

  test("logging in and out; a wrong password and an unknown name get the same answer", async ({
    newUser,
    request,
  }) => {
    const { name } = await newUser();
    const wrong = await request.post("/api/session", { data: { username: name, password: "not it at all" } });
    const unknown = await request.post("/api/session", { data: { username: `${name}-`, password } });
    expect(await expectProblem(wrong, 401)).toEqual(await expectProblem(unknown, 401));

    const right = await request.post("/api/session", { data: { username: name, password } });
    expect([right.status(), await right.json()]).toEqual([200, { username: name }]);
    expect((await request.post("/api/posts", { data: {} })).status()).toBe(422);
    expect((await request.delete("/api/session")).status()).toBe(204);
    await expectProblem(await request.post("/api/posts", { data: {} }), 401);
  });

  test("answers repeated guesses at one account with a 429", async ({ newUser, request }) => {
    const { name } = await newUser();
    const guess = () => request.post("/api/session", { data: { username: name, password: "a guess" } });
    for (let count = 0; count < 10; count += 1) await expectProblem(await guess(), 401);
    const limited = await guess();
    expect((await expectProblem(limited, 429)).detail).toMatch(/^Too many requests: .*not checked/);
    expect(Number(limited.headers()["retry-after"])).toBeGreaterThanOrEqual(1);
  });
});

test.describe("posts", () => {
  test("are published, read, changed and deleted by their author", async ({ newUser, request }) => {
    const author = await newUser();
    const created = await author.api.post("/api/posts", { data: { title: "یک نوشته", content: "متن" } });
    expect(created.status()).toBe(201);
    const path = created.headers().location ?? "";
    const post = {
      slug: expect.stringMatching(/^یک-نوشته/),
      title: "یک نوشته",
      content: "متن",
      author: author.name,
      lang: null,
      createdAt: isoTime,
      publishedAt: isoTime,
      publishAt: null,
      unlisted: false,
      unpublished: false,
      excerpt: "متن",
      cover: null,
      tags: [],
      updatedAt: isoTime,
      score: { average: null, settled: null, count: 0 },
      myScore: null,
    };
    expect(await created.json()).toEqual(post);
    expect(await (await request.get(path)).json()).toEqual(post);

    const changed = await author.api.patch(path, { data: { title: "Another title" } });
    expect([changed.status(), await changed.json()]).toEqual([200, { ...post, title: "Another title" }]);
    expect((await author.api.delete(path)).status()).toBe(200);
    await expectProblem(await request.get(path), 404);
    await expectProblem(await author.api.delete(path), 404);
    await expectProblem(await author.api.patch(path, { data: { title: "Gone" } }), 404);
  });

  test("of other authors stay unchanged: a 403, without a session a 401", async ({ newUser, request }) => {
    const [author, other] = [await newUser(), await newUser()];
    const path = await publish(author, "Not yours");
    for (const [api, status] of [[other.api, 403] as const, [request, 401] as const]) {
      await expectProblem(await api.patch(path, { data: { title: "Mine now" } }), status);
      await expectProblem(await api.delete(path), status);
    }
    await expectProblem(await request.post("/api/posts", { data: { title: "x", content: "x" } }), 401);
    expect(await (await request.get(path)).json()).toMatchObject({ title: "Not yours" });
  });

  test("are listed page by page, each once, with the viewer's own score", async ({ newUser, request }) => {
    const author = await newUser();
    const word = `listed${author.name.slice(5)}`;
    for (const title of ["One", "Two", "Three"]) await publish(author, `${title} ${word}`);
    const [first] = (await (await request.get(`/api/posts?q=one+${word}`)).json()).items;
    await author.api.post(`/api/posts/${first.slug}/rating`, { data: { score: 0 } });

    const titles: string[] = [];
    let cursor = "";
    do {
      const query = `q=${word}&sort=most-rated&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = await (await author.api.get(`/api/posts?${query}`)).json();
      expect(page.items).toHaveLength(1);
      titles.push(page.items[0].title);
      if (titles.length === 1)
        expect(page.items[0]).toEqual({
          slug: first.slug,
          title: `One ${word}`,
          author: author.name,
          lang: null,
          createdAt: isoTime,
          publishedAt: isoTime,
          publishAt: null,
          unlisted: false,
          unpublished: false,
          excerpt: expect.any(String),
          cover: null,
          tags: [],
          score: { average: 0, settled: 0, count: 1 },
          myScore: 0,
        });
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(titles).toEqual([`One ${word}`, `Three ${word}`, `Two ${word}`]);
  });
});

test.describe("ratings", () => {
  test("are made, changed and withdrawn, each by its own call", async ({ newUser, request }) => {
    const user = await newUser();
    const path = await publish(user);
    const score = async () => (await request.get(`${path}/score`)).json();
    const none = { average: null, settled: null, count: 0, histogram: [0, 0, 0, 0, 0, 0], settling: false };
    expect(await score()).toEqual(none);
    await expectProblem(await user.api.get(`${path}/rating`), 404);
    await expectProblem(await user.api.put(`${path}/rating`, { data: { score: 3 } }), 404);
    await expectProblem(await user.api.delete(`${path}/rating`), 404);

    const made = await user.api.post(`${path}/rating`, { data: { score: 0 } });
    expect([made.status(), await made.json()]).toEqual([201, { score: 0 }]);
    const one = { average: 0, settled: 0, count: 1, histogram: [1, 0, 0, 0, 0, 0], settling: false };
    expect(await score()).toEqual(one);
    await expectProblem(await user.api.post(`${path}/rating`, { data: { score: 4 } }), 409);

    const changed = await user.api.put(`${path}/rating`, { data: { score: 4 } });
    expect([changed.status(), await changed.json()]).toEqual([200, { score: 4 }]);
    expect(await (await user.api.get(`${path}/rating`)).json()).toEqual({ score: 4 });
    const another = { ...one, average: 4, settled: 4, histogram: [0, 0, 0, 0, 1, 0] };
    expect(await score()).toEqual(another);

    expect((await user.api.delete(`${path}/rating`)).status()).toBe(204);
    expect(await score()).toEqual(none);
  });

  test("need a session and a post", async ({ newUser, request }) => {
    const user = await newUser();
    const path = `${await publish(user)}/rating`;
    const nowhere = "/api/posts/there-is-no-such-post/rating";
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      const data = method === "GET" || method === "DELETE" ? {} : { data: { score: 1 } };
      await expectProblem(await request.fetch(path, { method, ...data }), 401);
      await expectProblem(await user.api.fetch(nowhere, { method, ...data }), 404);
    }
    await expectProblem(await request.get("/api/posts/there-is-no-such-post/score"), 404);
  });

  test("over a post's limit are a 429 with all rate-limit headers, and are not saved", async ({
    newUser,
    startServer,
  }) => {
    const bucket = { LEAKY_BUCKET_CAPACITY: "3", LEAKY_BUCKET_LEAK_PER_SECOND: "0.001" };
    const { origin } = await startServer(bucket);
    const user = await newUser(origin);
    const path = await publish(user);
    const [second, third, fourth] = [await newUser(origin), await newUser(origin), await newUser(origin)];
    const post = ({ api }: typeof user, score: number) => api.post(`${path}/rating`, { data: { score } });
    for (const rater of [user, second, third]) expect((await post(rater, 3)).status()).toBe(201);

    const limited = await post(fourth, 0);
    const { detail } = await expectProblem(limited, 429);
    expect(detail).toMatch(
      /^Too many requests: this post is getting very many ratings just now, so your rating was not saved\. Try again in \d+ minutes\.$/,
    );
    const seconds = limited.headers()["retry-after"];
    expect(seconds).toMatch(/^\d+$/);
    expect(limited.headers()).toMatchObject({
      "ratelimit-policy": '"rating.post";q=3;w=3000',
      ratelimit: `"rating.post";r=0;t=${seconds}`,
    });
    expect(await (await user.api.get(`${path}/score`)).json()).toMatchObject({ average: 3, count: 3 });
    // Neither a duplicate nor bad input reaches the rate limits.
    await expectProblem(await post(user, 1), 409);
    await expectProblem(await post(fourth, 9), 422);
  });
});

test("answers an unknown path with a 404, a wrong method with a 405 that names the right ones", async ({
  request,
}) => {
  for (const path of ["/api", "/api/nothing", "/api/posts/a/b/c", "/api/posts/%E0%A4%A"])
    await expectProblem(await request.get(path), 404);
  for (const [method, path, allow] of [
    ["PUT", "/api/users", "GET, HEAD, POST, OPTIONS"],
    ["PATCH", "/api/session", "POST, DELETE, OPTIONS"],
    ["DELETE", "/api/posts", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/api/posts/a", "GET, HEAD, PATCH, DELETE, OPTIONS"],
    ["PUT", "/api/posts/a/score", "GET, HEAD, OPTIONS"],
    ["PATCH", "/api/posts/a/rating", "GET, HEAD, POST, PUT, DELETE, OPTIONS"],
  ] as const) {
    const answer = await request.fetch(path, { method });
    await expectProblem(answer, 405);
    expect(answer.headers().allow).toBe(allow);
    const options = await request.fetch(path, { method: "OPTIONS" });
    expect([options.status(), options.headers().allow]).toEqual([204, allow]);
  }
  const head = await request.head("/api/posts");
  expect([head.status(), (await head.body()).length]).toEqual([200, 0]);
});
