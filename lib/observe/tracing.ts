/**
 * Traces, sent to an OpenTelemetry collector. This module loads the SDK: it is imported where traces are wanted, and
 * only there. The framework makes spans of its own as soon as there is somebody to take them.
 */
import type { Span } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

/** Sends spans to the collector at `endpoint` (OTLP over HTTP) from now on; resolves `flush` when all so far are sent. */
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

/** As in the log, what was searched for is nobody's business. */
const withoutQuery = {
  onStart(span: Span & { attributes?: Record<string, unknown> }) {
    const target = span.attributes?.["http.target"];
    if (typeof target === "string") span.setAttribute("http.target", target.replace(/\?.*$/s, ""));
  },
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};
