/**
 * The base of every browser test.
 * It gives people browsers of their own, and fails on faults that were not expected.
 */
import { test as base, expect, type Page } from "playwright/test";
import { Faults } from "./faults.ts";
import { newServer, type Server, type ServerSettings } from "./server.ts";

export { expect };

/** The database of the server that `page` is on unless set otherwise. */
export const mainServer = { databaseUrl: `file:${process.env.E2E_FOLDER}/weir.db` };

interface Fixtures {
  faults: Faults;
  /**
   * Opens a page in a browser that shares no cookie with the others.
   * On another server when one is named.
   */
  openBrowser: (server?: Pick<Server, "origin">) => Promise<Page>;
  /** Starts a server of the test's own, which goes when the test is done. */
  startServer: (settings?: ServerSettings) => Promise<Server>;
}

interface WorkerFixtures {
  /**
   * A server with these settings that tests share, one after the other.
   * It holds the posts of other tests.
   */
  sharedServer: (settings: ServerSettings) => Promise<Server>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
    async ({}, use) => {
      const servers = new Map<string, Promise<Server>>();
      await use((settings) => {
        const key = JSON.stringify(settings);
        const server = servers.get(key) ?? newServer(settings);
        servers.set(key, server);
        return server;
      });
      for (const server of servers.values()) await (await server).remove();
    },
    { scope: "worker" },
  ],
  faults: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
    async ({}, use) => {
      const faults = new Faults();
      await use(faults);
      expect(faults.found, "faults in the browser").toEqual([]);
    },
    { auto: true },
  ],
  context: async ({ context, faults }, use) => {
    faults.watch(context);
    await use(context);
  },
  openBrowser: async ({ browser, faults }, use) => {
    const pages: Page[] = [];
    await use(async (server) => {
      const context = await browser.newContext(server ? { baseURL: server.origin } : {});
      faults.watch(context);
      const page = await context.newPage();
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
  },
  startServer: async ({ browser }, use) => {
    const servers: Server[] = [];
    await use(async (settings) => {
      const server = await newServer(settings);
      servers.push(server);
      return server;
    });
    // A page that is still loading would report that its server has gone.
    for (const context of browser.contexts()) await context.close();
    for (const server of servers) await server.remove();
  },
});
