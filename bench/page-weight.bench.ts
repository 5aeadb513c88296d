/**
 * The weight of a page and how soon it shows on slow 4G with a phone's processor.
 * Chromium opens pages of the built server with an empty cache, in both languages, as a visitor and with a session.
 */
import { join } from "node:path";
import { type Browser, chromium } from "playwright/test";
import { buildApp } from "../scripts/build.mjs";
import findBrowser from "../scripts/find-browser.mjs";
import { quickChallenge, registerAt } from "../testing/registration.ts";
import { inFolder } from "./databases.ts";
import { whileServing } from "./faults/serving.ts";
import { fillBlog } from "./ordinary-blog.ts";
import type { Report } from "./table.ts";

/** 150 ms there and back, 1.6 Mbit/s, a processor four times as slow. */
const slow4G = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false };
const processorSlowdown = 4;
const launchArguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const languages = ["en", "fa"];

interface Weight {
  /** Compressed, as transferred, in bytes. */
  script: number;
  font: number;
  total: number;
  fonts: number;
  requests: number;
  /** The page itself, uncompressed, and the framework's data in it, in bytes. */
  html: number;
  payload: number;
  /** Milliseconds from the click on the link. */
  largestPaint: number;
  /** When its scripts have run. */
  interactive: number;
}

export function report(): Promise<Report> {
  return inFolder(async (folder) => {
    await buildApp();
    const url = `file:${join(folder, "served.db")}`;
    const slug = await fillBlog(url);
    const settings = { ...quickChallenge, LIMITS: '{"lab.address": {"capacity": 500}}' };
    return whileServing(url, (origin) => weighAll(origin, slug), settings);
  });
}

async function weighAll(origin: string, slug: string): Promise<Report> {
  const executablePath = findBrowser();
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: launchArguments });
  try {
    const cookie = await registerAt(origin, { username: "reader", password: crypto.randomUUID() });
    const pages = {
      home: "/",
      post: `/posts/${slug}`,
      explainer: "/how-scores-work",
      lab: "/lab",
      login: "/login",
    };
    const lines: string[] = [];
    for (const [name, path] of Object.entries(pages))
      for (const language of languages)
        for (const session of name === "login" ? [undefined] : [undefined, cookie]) {
          const weight = await weigh(browser, { url: origin + path, language, session });
          lines.push(lineOf(`${name}, ${language}${session ? ", session" : ""}`, weight));
        }
    return {
      text: [`Pages on slow 4G, processor ${processorSlowdown} times as slow`, ...lines].join("\n"),
      missed: 0,
    };
  } finally {
    await browser.close();
  }
}

async function weigh(
  browser: Browser,
  { url, language, session }: { url: string; language: string; session: string | undefined },
): Promise<Weight> {
  const context = await browser.newContext({
    locale: language,
    viewport: { width: 375, height: 667 },
    serviceWorkers: "block",
  });
  const cookies = session?.split("; ").map((cookie) => {
    const [name = "", value = ""] = cookie.split("=");
    return { name, value, url };
  });
  await context.addCookies(cookies ?? []);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const types = new Map<string, string>();
  const weight = { script: 0, font: 0, total: 0, fonts: 0, requests: 0 };
  devTools.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    weight.requests += 1;
    weight.total += encodedDataLength;
    if (types.get(requestId) === "Script") weight.script += encodedDataLength;
    if (types.get(requestId) !== "Font") return;
    weight.font += encodedDataLength;
    weight.fonts += 1;
  });
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", slow4G);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: processorSlowdown });
  const html = (await (await page.goto(url))?.text()) ?? "";
  await page.waitForLoadState("networkidle");
  const times = await page.evaluate(timesOfPage);
  await context.close();
  const payload = [
    ...html.matchAll(/<script[^>]*>(?:\(self\.__next_f=|self\.__next_f\.push).*?<\/script>/gs),
  ];
  return {
    ...weight,
    ...times,
    html: Buffer.byteLength(html),
    payload: Buffer.byteLength(payload.map(([text]) => text).join("")),
  };
}

/** Runs in the page. */
async function timesOfPage() {
  const entriesOf = (type: string) =>
    new Promise<PerformanceEntry[]>((done) => {
      new PerformanceObserver((list) => done(list.getEntries())).observe({ type, buffered: true });
      setTimeout(() => done([]), 500);
    });
  const paints = await entriesOf("largest-contentful-paint");
  const tasks = await entriesOf("longtask");
  const [navigation] = performance.getEntriesByType("navigation");
  const parsed = navigation instanceof PerformanceNavigationTiming ? navigation.domContentLoadedEventEnd : 0;
  return {
    largestPaint: paints.at(-1)?.startTime ?? Number.NaN,
    interactive: Math.max(parsed, ...tasks.map(({ startTime, duration }) => startTime + duration)),
  };
}

function lineOf(name: string, weight: Weight): string {
  const { script, font, fonts, total, requests, html, payload, largestPaint, interactive } = weight;
  return [
    `  ${name.padEnd(22)}`,
    `scripts ${kilobytes(script)}`,
    `fonts ${fonts}, ${kilobytes(font)}`,
    `in all ${kilobytes(total)}, ${`${requests}`.padStart(2)} requests`,
    `HTML ${kilobytes(html)}, payload ${kilobytes(payload)}`,
    `largest paint ${largestPaint.toFixed(0).padStart(5)} ms`,
    `interactive ${interactive.toFixed(0).padStart(5)} ms`,
  ].join("   ");
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1).padStart(5)} kB`;
}
