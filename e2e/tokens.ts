/** API tokens, made as people make them: on the page of the account. */
import { expect, type Page } from "playwright/test";
import { apiScopes } from "../lib/api-tokens/scopes.ts";
import { password } from "./people.ts";

type Scope = (typeof apiScopes)[number];

const labels: Record<Scope, string> = {
  read: "Read posts",
  rate: "Rate and save posts",
  write: "Publish posts",
  admin: "Change settings",
};

/** Makes a token on the account page, and stays on the page that shows it. */
export async function makeToken(
  page: Page,
  name: string,
  scopes: readonly Scope[] = ["read"],
): Promise<string> {
  await page.goto("/account");
  for (const scope of apiScopes)
    if (scope !== "admin" || scopes.includes(scope))
      await page.getByLabel(labels[scope]).setChecked(scopes.includes(scope));
  await page.getByLabel("Name", { exact: true }).fill(name);
  // The form for another address, where the site sends mail, has such a field, too.
  await page.locator("#api-tokens").getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Create token" }).click();
  const shown = page.getByLabel("New token");
  await expect(shown).toHaveValue(/^weir_[\w-]{43}$/);
  await expect(shown).toBeFocused();
  return shown.inputValue();
}
