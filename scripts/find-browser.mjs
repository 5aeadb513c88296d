/**
 * The browser that the tests drive.
 * The system's Chromium or Chrome, or the one that Playwright installed.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright/test";

/** Resolves to the path of a browser, or to nothing when there is none. */
export default function findBrowser() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const installed = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].flatMap(
    (name) => folders.map((folder) => join(folder, name)),
  );
  return [...installed, chromium.executablePath()].find((path) => existsSync(path));
}
