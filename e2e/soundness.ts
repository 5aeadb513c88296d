/** Checks pages at phone and desktop widths, in light and dark, for accessibility. */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";

/**
 * Both widths and both themes.
 * Each theme at one width, since their faults are independent.
 */
const views = [
  { width: 375, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

/** Nothing wider than the screen, and no fault of accessibility. */
export async function expectSound(page: Page): Promise<void> {
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    // There are no frames, so it need not look for any, which takes another page.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    expect(faults, `${page.url()} at ${width} px, ${colorScheme}`).toEqual([]);
  }
}

/** The same of each path, with everything open that its page folds away. */
export async function expectSoundPages(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expectSoundUnfolded(page);
  }
}

export async function expectSoundUnfolded(page: Page): Promise<void> {
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
  await expectSound(page);
}
