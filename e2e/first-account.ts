/**
 * Runs before the first browser test.
 * The first account of a site becomes an administrator's: no test's, whichever runs first.
 */
import { request } from "playwright/test";
import { solved } from "../testing/registration.ts";
import { expectStatus, password } from "./people.ts";

export default async function makeFirstAccount(): Promise<void> {
  const client = await request.newContext({ baseURL: `http://localhost:${process.env.E2E_PORT}` });
  const proof = await solved(client.get("/api/challenge"));
  const data = { username: "first-account", email: "first-account@example.org", password, ...proof };
  await expectStatus(client.post("/api/users", { data }), 201);
  await client.dispose();
}
