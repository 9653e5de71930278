import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "@opentelemetry/api";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { comesWithin, proxyFor, systemClock } from "../../core/api/index.ts";
import { type Work, workChannel } from "../../core/values/trace.ts";
import type { Log } from "../../reconciler/index.ts";
import { buildVersion } from "../version.ts";
import type { Console } from "../terminal/console.ts";

const endpointName = "OTEL_EXPORTER_OTLP_ENDPOINT";
const protocolName = "OTEL_EXPORTER_OTLP_PROTOCOL";
const tracesName = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

/** Milliseconds for the last spans at the end of the service. */
const lastSpans = 3000;

/** Runs a service, and sends a span for each cycle, plan and write if OpenTelemetry's variables name a receiver. */
export async function withTraces<Result>(
  console: Console,
  log: Log,
  run: () => Promise<Result>,
): Promise<Result> {
  const url = receiverIn(console.io.env);
  if (url === undefined) return run();
  const isGrpc = console.io.env[protocolName] === "grpc";
  if (isGrpc || !URL.canParse(url)) {
    const variable = isGrpc ? protocolName : endpointName;
    log.warn(
      { variable },
      "no spans are sent: they go to an http or https URL, by http/protobuf or http/json",
    );
    return run();
  }
  const end = await sendTraces(url, console, log);
  try {
    return await run();
  } finally {
    // The log has reported undelivered spans already.
    const ended = end().catch(() => undefined);
    await comesWithin(console.io.clock ?? systemClock, lastSpans, ended);
  }
}

/** The receiver of spans; undefined: none. */
function receiverIn(env: Console["io"]["env"]): string | undefined {
  if (env["OTEL_SDK_DISABLED"] === "true") return undefined;
  const base = env[endpointName];
  return env[tracesName] || (base ? `${base.replace(/\/$/, "")}/v1/traces` : undefined);
}

/** An exporter that reports once that spans are lost, and that they arrive again. */
function withLoss(exporter: SpanExporter, log: Log): SpanExporter {
  let isLosing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error && !isLosing) log.warn({ reason: error.message }, "spans do not arrive, and are lost");
        if (!error && isLosing) log.info({}, "spans arrive again");
        isLosing = error !== undefined;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Sends the work of this process as spans. @returns ends it */
async function sendTraces(url: string, console: Console, log: Log): Promise<() => Promise<void>> {
  // Loaded only with traces.
  const { ROOT_CONTEXT, SpanStatusCode, trace } = await import("@opentelemetry/api");
  const { BasicTracerProvider, BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base");
  const { defaultResource, resourceFromAttributes } = await import("@opentelemetry/resources");
  const { detectResources, envDetector } = await import("@opentelemetry/resources");
  const { OTLPExporterBase } = await import("@opentelemetry/otlp-exporter-base");
  const { convertLegacyHttpOptions, createOtlpHttpExportDelegate } =
    await import("@opentelemetry/otlp-exporter-base/node-http");
  const { JsonTraceSerializer, ProtobufTraceSerializer } = await import("@opentelemetry/otlp-transformer");
  const isJson = console.io.env[protocolName] === "http/json";
  const proxy = proxyFor(url, console.io.env);
  const delegate = createOtlpHttpExportDelegate(
    convertLegacyHttpOptions(
      { url, ...(proxy && { httpAgentOptions: { keepAlive: true, proxyEnv: proxy.environment } }) },
      "TRACES",
      "v1/traces",
      { "Content-Type": isJson ? "application/json" : "application/x-protobuf" },
    ),
    isJson ? JsonTraceSerializer : ProtobufTraceSerializer,
  );
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "infrasync", "service.version": buildVersion() }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(withLoss(new OTLPExporterBase(delegate), log))],
  });
  const tracer = provider.getTracer("infrasync");
  const current = new AsyncLocalStorage<Span>();
  const spans = new WeakMap<Work, Span>();
  const ignored = () => undefined;
  const listener = {
    start: ignored,
    end: ignored,
    asyncStart: ignored,
    error: ignored,
    asyncEnd(work: Work & { error?: unknown }) {
      const span = spans.get(work);
      span?.setAttributes(work.attributes);
      if ("error" in work)
        span?.setStatus({ code: SpanStatusCode.ERROR, message: console.redact(String(work.error)) });
      span?.end();
    },
  };
  workChannel.start.bindStore(current, (work) => {
    const parent = current.getStore();
    const span = tracer.startSpan(work.name, {}, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);
    spans.set(work, span);
    return span;
  });
  workChannel.subscribe(listener);
  log.info({ host: new URL(url).host }, "spans of cycles, plans and writes are sent");
  return async () => {
    workChannel.start.unbindStore(current);
    workChannel.unsubscribe(listener);
    await provider.shutdown();
  };
}
