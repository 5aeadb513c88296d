/**
 * The browser that the tests drive.
 * The system's Chromium or Chrome, or the one that Playwright installed.
 */
import { existsSync } from "node:fs";
import { chromium } from "playwright/test";
import { findPrograms } from "./find-programs.mjs";

/** Resolves to the path of a browser, or to nothing when there is none. */
export default function findBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  return [...findPrograms(names), chromium.executablePath()].find(existsSync);
}
