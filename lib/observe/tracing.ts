/**
 * Exports traces to an OpenTelemetry collector.
 * This module loads the SDK, so import it only when tracing is on. Next.js makes its own spans once a provider is
 * registered.
 */
import type { Span } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

/**
 * Starts sending spans to `endpoint` (OTLP over HTTP).
 * `flush` resolves when all are sent.
 */
export function startTracing(endpoint: string): { flush: () => Promise<void> } {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": "weir" }),
    spanProcessors: [
      withoutQuery,
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })),
    ],
  });
  provider.register();
  return { flush: () => provider.forceFlush() };
}

/** Removes the query string, which may hold a search, as the log does. */
const withoutQuery = {
  onStart(span: Span & { attributes?: Record<string, unknown> }) {
    const target = span.attributes?.["http.target"];
    if (typeof target === "string") span.setAttribute("http.target", target.replace(/\?.*$/s, ""));
  },
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};
