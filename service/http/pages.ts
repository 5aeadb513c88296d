/** What is there to look at: for people, and for tools that watch or describe a service. */
import type { Metrics } from "../metrics.ts";
import { openApiDocument } from "../openapi.ts";
import { jsonReply, type Reply } from "./reply.ts";
import type { Page } from "./target.ts";

export interface PageSettings {
  metrics: Metrics;
  /** The policies and rules as they are configured now, without secrets. */
  configured: () => unknown;
}

export type Pages = Record<Page, () => Promise<Reply>>;

export function createPages({ metrics, configured }: PageSettings): Pages {
  const description = jsonReply(200, openApiDocument);
  const guide = jsonReply(200, {
    service: "Weir's rate limiter",
    ask: 'POST /v1/consume, with JSON such as {"policy": "demo", "key": "client 7"}',
    description: "/v1/openapi.json",
    configured: "/v1/rules",
    alive: "/v1/alive",
    metrics: "/metrics",
  });
  const alive = jsonReply(200, { alive: true });
  return {
    "/": async () => guide,
    "/v1/alive": async () => alive,
    "/v1/openapi.json": async () => description,
    "/v1/rules": async () => jsonReply(200, configured()),
    "/metrics": async () => {
      const { contentType, text } = await metrics.scrape();
      return { status: 200, type: contentType, body: text, headers: [] };
    },
  };
}
