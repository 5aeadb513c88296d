/** Sees to it that there is a browser: Debian's Chromium is installed where that can be done without asking. */
import { existsSync } from "node:fs";
import { runChild } from "./run-child.mjs";
import { StepFailed, step } from "./step.mjs";

const whatToInstall =
  "The browser tests need Chromium or Chrome: install one, for example with apt install chromium";

export async function installBrowser() {
  // Not at the top: it is a package's, and those may have come just now.
  const { findBrowser } = await import("./find-browser.mjs");
  if (findBrowser()) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    await step("Installing Chromium", async () => {
      await aptGet("update");
      await aptGet("install", "--yes", "--no-install-recommends", "chromium");
    });
  }
  if (!findBrowser()) {
    throw new StepFailed(
      "The browser tests need Chromium or Chrome: install one, for example: apt install chromium",
    );
  }
}

async function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { code, output } = await runChild("apt-get", args, { env, capture: true });
  if (code !== 0)
    throw new StepFailed(`${output.trimEnd()}\napt-get ${args.join(" ")} failed. ${whatToInstall}`);
}
