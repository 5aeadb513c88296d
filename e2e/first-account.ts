/**
 * Runs before the first browser test.
 * The first account of a site becomes an administrator, so no test may register it.
 */
import { registerAt } from "../testing/registration.ts";
import { password } from "./people.ts";

export default async function registerFirstAccount(): Promise<void> {
  await registerAt(`http://localhost:${process.env.E2E_PORT}`, { username: "first-account", password });
}
