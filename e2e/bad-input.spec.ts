/** Bad input has an answer of 400 to 499 that names the fault, and changes nothing. */
import { expect } from "playwright/test";
import { expectProblem, publish, test } from "./api-user.ts";
import { newName, password } from "./people.ts";

// As bytes: the client would turn a text that is not JSON into JSON.
const json = { "Content-Type": "application/json" };
const fiveMegabytes = "a".repeat(5_000_000);

/** Bodies that no call of the API takes, with the statuses allowed for them. */
const rubbish: [what: string, body: string | Buffer, status: number][] = [
  ["nothing", "", 400],
  ["half of an object", '{"score": ', 400],
  ["no JSON", "score=5", 400],
  ["NaN", '{"score": NaN}', 400],
  ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400],
  ["very deep arrays", "[".repeat(4000), 400],
  ["null", "null", 422],
  ["an array", '[{"score": 5}]', 422],
  ["a number", "5", 422],
  ["a text", '"5"', 422],
  ["an empty object", "{}", 422],
  ["a prototype", '{"__proto__": {"score": 5, "title": "x", "content": "x"}}', 422],
  ["5 MB", `"${fiveMegabytes}"`, 413],
];

test("refuses bad bodies", async ({ newUser }) => {
  const user = await newUser();
  const path = await publish(user);
  await user.api.post(`${path}/rating`, { data: { score: 3 } });
  const before = await (await user.api.get(path)).text();
  for (const [what, data, status] of rubbish)
    await test.step(what, async () => {
      const calls = [
        ["POST", "/api/posts"],
        ["PATCH", path],
        ["POST", `${path}/rating`],
        ["PUT", `${path}/rating`],
        ["POST", "/api/users"],
        ["POST", "/api/session"],
      ] as const;
      for (const [method, url] of calls)
        await expectProblem(
          await user.api.fetch(url, { method, data: Buffer.from(data), headers: json }),
          status,
        );
    });
  for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
    const answer = await user.api.put(`${path}/rating`, { data: "{}", headers: { "Content-Type": type } });
    await expectProblem(answer, 415);
  }
  expect(await (await user.api.get(path)).text()).toBe(before);
});

test("refuses bad scores", async ({ newUser }) => {
  const user = await newUser();
  const path = await publish(user);
  for (const score of ["-1", "6", "2.5", '"5"', "null", "true", "[3]", "{}", "1e400", "9007199254740993"]) {
    const answer = await user.api.post(`${path}/rating`, {
      data: Buffer.from(`{"score": ${score}}`),
      headers: json,
    });
    expect(Object.keys((await expectProblem(answer, 422)).errors)).toEqual(["score"]);
  }
  expect(await (await user.api.get(`${path}/score`)).json()).toMatchObject({ count: 0 });
});

test("refuses bad titles and contents", async ({ newUser, request }) => {
  const user = await newUser();
  const path = await publish(user, "As it was");
  const titles = [
    "",
    "   ",
    "a".repeat(201),
    "a\nb",
    "a\u0000b",
    "\u001b[31m",
    "half \ud800",
    5,
    null,
    ["a"],
    {},
  ];
  for (const title of titles) {
    const data = Buffer.from(JSON.stringify({ title, content: "x" }));
    for (const [method, url] of [["POST", "/api/posts"] as const, ["PATCH", path] as const]) {
      const body = await expectProblem(await user.api.fetch(url, { method, data, headers: json }), 422);
      expect(Object.keys(body.errors)).toEqual(["title"]);
      expect(body.errors.title[0]).toMatch(/^(Title |Give your post a title).*\.$/);
    }
  }
  for (const content of ["", "a".repeat(100_001), "\u0007", "\udfff", 5]) {
    const data = Buffer.from(JSON.stringify({ title: "x", content }));
    const body = await expectProblem(await user.api.post("/api/posts", { data, headers: json }), 422);
    expect(Object.keys(body.errors)).toEqual(["content"]);
  }
  expect(await (await request.get(path)).json()).toMatchObject({ title: "As it was", content: "Some text." });
});

test("refuses bad account fields", async ({ request }) => {
  const right = { username: newName("user"), email: "name@example.org", password };
  for (const [field, value] of [
    ["username", "a"],
    ["username", "a b"],
    ["username", "<script>"],
    ["username", "\u202eabc"],
    ["username", 5],
    ["email", "nobody"],
    ["email", `${"a".repeat(300)}@example.org`],
    ["password", "short"],
    ["password", "a".repeat(201)],
    ["password", ["correct horse battery"]],
  ] as const) {
    const body = await expectProblem(
      await request.post("/api/users", { data: { ...right, [field]: value } }),
      422,
    );
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(JSON.stringify(body)).not.toContain(password);
  }
});

test("refuses bad queries and slugs", async ({ request }) => {
  for (const [query, field] of [
    ["sort=worst", "sort"],
    ["sort=", "sort"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=1e1", "limit"],
    ["limit=ten", "limit"],
    ["cursor=", "cursor"],
    ["cursor=rubbish", "cursor"],
    [`cursor=${Buffer.from('["top",1,1]').toString("base64url")}`, "cursor"],
    [`cursor=${Buffer.from('["newest","x",1]').toString("base64url")}`, "cursor"],
    [`q=${"a".repeat(201)}`, "q"],
  ]) {
    const body = await expectProblem(await request.get(`/api/posts?${query}`), 422);
    expect(Object.keys(body.errors)).toEqual([field]);
  }
  for (const query of ["q=%00", "q=%FF", "q=%22%27%3B--", "q=AND+OR+NOT+*", "q=%F0%9F%98%80", "unknown=1"])
    expect((await request.get(`/api/posts?${query}`)).status()).toBe(200);
  for (const slug of ["nothing", "%00", "%FF", "%E0%A4%A", "..%2f..%2fetc", "a".repeat(5000), "%F0%9F%98%80"])
    for (const path of [`/api/posts/${slug}`, `/api/posts/${slug}/score`, `/posts/${slug}`])
      expect((await request.get(path)).status(), path).toBe(404);
});

test("refuses forms that are too large, broken or forged", async ({ newUser, baseURL }) => {
  const user = await newUser();
  for (const path of ["/posts/new", "/login", "/register"]) {
    const large = await user.api.post(path, { multipart: { title: fiveMegabytes } });
    expect([large.status(), await large.text()]).toEqual([413, expect.stringContaining("at most 1 MB")]);
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    const broken = await user.api.post(path, { headers, data: "no form at all" });
    expect([broken.status(), await broken.text()]).toEqual([400, expect.stringContaining("form")]);
    for (const name of ["username", "$ACTION_ID_00", "$ACTION_REF_1"])
      expect((await user.api.post(path, { multipart: { [name]: "x" } })).status()).toBe(400);
    const unknown = await user.api.post(path, { headers: { "Next-Action": "0".repeat(42) }, data: "[]" });
    expect([404, 409]).toContain(unknown.status());
  }
  // As large as that, and of no announced length: browsers cannot send it, other programs can.
  const chunks = new ReadableStream({
    start(controller) {
      for (let count = 0; count < 5; count += 1) controller.enqueue(new Uint8Array(1_000_000));
      controller.close();
    },
  });
  const chunked = await fetch(`${baseURL}/posts/new`, {
    method: "POST",
    body: chunks,
    ...{ duplex: "half" },
  });
  expect([chunked.status, await chunked.text()]).toEqual([413, expect.stringContaining("at most 1 MB")]);
});
