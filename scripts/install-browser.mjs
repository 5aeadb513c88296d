/** Sees to it that there is a browser: Debian's Chromium is installed where that can be done without asking. */
import { installDebianPackage } from "./debian-package.mjs";
import { StepFailed } from "./step.mjs";

const whatToInstall =
  "The browser tests need Chromium or Chrome: install one, for example: apt install chromium";

export async function installBrowser() {
  // Not at the top: it is a package's, and those may have come just now.
  const { findBrowser } = await import("./find-browser.mjs");
  if (findBrowser()) return;
  await installDebianPackage("chromium", "Chromium", whatToInstall);
  if (!findBrowser()) throw new StepFailed(whatToInstall);
}
