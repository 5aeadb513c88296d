/**
 * One session on all nodes.
 * It begins on one node, is known to the others, and ends on all at once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../scripts/cluster/cluster.ts";
import { solvedAt } from "../../testing/registration.ts";
import { newName, password } from "../people.ts";
import { hiddenFields, sendForm } from "./forms.ts";
import { type Answer, newClient } from "./http-client.ts";

let cluster: Cluster;
const client = newClient();

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  client.close();
  await cluster?.stop();
});

const json = { "Content-Type": "application/json" };

test("a session begun on one node is valid on the other, and ended on one it ends on both at once", async () => {
  const [one = "", other = ""] = cluster.nodes.map(({ origin }) => origin);
  const username = await register(one);
  const first = await logIn(one, username);
  const second = await logIn(other, username);
  for (const [origin, cookie] of [
    [other, first],
    [one, second],
  ] as const)
    expect((await account(origin, cookie)).status).toBe(200);

  const fields = hiddenFields((await account(one, first)).body, "Log out everywhere");
  const answer = await sendForm(client, one, "/account", first, fields);
  expect([answer.status, answer.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/login\?ended=everywhere\./),
  ]);
  for (const origin of [other, one]) for (const cookie of [first, second]) await expectDead(origin, cookie);
});

test("a changed password ends the other sessions on all nodes, and the new one holds on all", async () => {
  const [one = "", other = ""] = cluster.nodes.map(({ origin }) => origin);
  const username = await register(one);
  const mine = await logIn(one, username);
  const elsewhere = await logIn(other, username);
  const fields = hiddenFields((await account(one, mine)).body, 'name="newPassword"');
  const answer = await sendForm(client, one, "/account", mine, [
    ...fields,
    ["currentPassword", password],
    ["newPassword", "another quiet river"],
  ]);
  expect([answer.status, answer.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/account\?changed=password\./),
  ]);
  for (const origin of [other, one]) for (const cookie of [elsewhere, mine]) await expectDead(origin, cookie);
  for (const origin of [other, one]) expect((await account(origin, cookieOf(answer))).status).toBe(200);
});

async function register(origin: string): Promise<string> {
  const username = newName("member");
  const proof = await solvedAt(origin);
  const body = JSON.stringify({ username, email: `${username}@example.org`, password, ...proof });
  const { status } = await client.send(`${origin}/api/users`, { method: "POST", headers: json, body });
  expect(status).toBe(201);
  return username;
}

async function logIn(origin: string, username: string): Promise<string> {
  const body = JSON.stringify({ username, password });
  const answer = await client.send(`${origin}/api/session`, { method: "POST", headers: json, body });
  expect(answer.status, answer.body).toBe(200);
  return cookieOf(answer);
}

function cookieOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}

function account(origin: string, Cookie: string): Promise<Answer> {
  return client.send(`${origin}/account`, { headers: { Cookie } });
}

async function expectDead(origin: string, Cookie: string): Promise<void> {
  const page = await account(origin, Cookie);
  expect([page.status, page.headers.location]).toEqual([307, "/login?next=%2Faccount"]);
  const body = JSON.stringify({ title: "A post", content: "Words." });
  const call = await client.send(`${origin}/api/posts`, {
    method: "POST",
    headers: { ...json, Cookie },
    body,
  });
  expect(call.status).toBe(401);
}
