/** Traces with OpenTelemetry. Only this file, trace-context.ts and trace-exporter.ts load its modules, and only if traces are on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { LoreError } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import { currentScope, runInScope } from '../memory/request-scope.ts';
import type { RequestFacts, RequestOutcome, Timing } from '../memory/telemetry.ts';
import { remoteContext } from './trace-context.ts';
import { createTraceExporter } from './trace-exporter.ts';

/** A server stops within ten seconds, and the store has priority. */
const FLUSH_MS = 1_000;

/** Attribute name of a timing's label on its span. */
const WORDS: { readonly [T in Timing]?: string } = { recall: 'lore.mode', embed: 'lore.provider' };

interface RequestSpan {
  /** Parent context of the work for the request. */
  readonly context: Context;
  end(outcome: RequestOutcome): void;
}

export interface Tracing {
  /** Starts the span of a request, a child of the client's span. */
  begin(request: RequestFacts): RequestSpan;
  /** Runs work in a child span of the current scope. */
  during<T>(what: Timing, work: () => Promise<T>, word: string | undefined): Promise<T>;
  /** Sends remaining spans for at most a second. Safe to repeat. */
  close(): Promise<void>;
}

/** Opens tracing to the collector of the OpenTelemetry variables. Throws if they are invalid. */
export function openTracing({ version, log }: { readonly version: string; readonly log: Log }): Tracing {
  const own = resourceFromAttributes({ 'service.name': 'lore', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(createTraceExporter(log))],
  });
  const tracer = provider.getTracer('lore', version);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const sent = provider.shutdown().catch((error: unknown) => log.debug({ error: String(error) }, 'the last spans could not be sent'));
    await Promise.race([sent, sleep(FLUSH_MS, undefined, { ref: false })]);
  };
  return {
    begin: (request) => beginRequest(tracer, request),
    during: (what, work, word) => traced(tracer, { what, word }, work),
    close: () => (closing ??= close()),
  };
}

function beginRequest(tracer: Tracer, { requestId, method, ...remote }: RequestFacts): RequestSpan {
  const parent = remoteContext(remote);
  const attributes = { 'http.request.method': method, 'lore.request_id': requestId };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  return {
    context: trace.setSpan(parent, span),
    end({ route, status, aborted }) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status, ...(aborted && { 'lore.aborted': true }) });
      if (status >= 500 && !aborted) fail(span, String(status));
      span.end();
    },
  };
}

async function traced<T>(
  tracer: Tracer,
  { what, word }: { readonly what: Timing; readonly word: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const around = currentScope();
  const parent = (around?.trace as Context | undefined) ?? ROOT_CONTEXT;
  const name = WORDS[what];
  const span = tracer.startSpan(what, { attributes: name === undefined || word === undefined ? {} : { [name]: word } }, parent);
  const scope = {
    requestId: around?.requestId,
    get isOver() {
      return around?.isOver ?? false;
    },
    trace: trace.setSpan(parent, span),
  };
  try {
    return await runInScope(scope, work);
  } catch (error) {
    // Never the message: it may contain user text.
    fail(span, error instanceof LoreError ? error.code : error instanceof Error ? error.name : 'error');
    throw error;
  } finally {
    span.end();
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
