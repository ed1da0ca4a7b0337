/** Traces of OpenTelemetry. The only file, with the two beside it, that loads any of its modules; loaded only where traces are on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { LoreError } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import { currentScope, within } from '../memory/request-scope.ts';
import type { RequestFacts, RequestOutcome, Timing } from '../memory/telemetry.ts';
import { remoteContext } from './trace-context.ts';
import { createTraceExporter } from './trace-exporter.ts';

/** A stop of a server has ten seconds in all, and the store comes first. */
const FLUSH_MS = 1_000;

/** What the word of a timing is called on its span. */
const WORDS: { readonly [T in Timing]?: string } = { recall: 'lore.mode', embed: 'lore.provider' };

export interface RequestSpan {
  /** The parent of what is done for the request. */
  readonly context: Context;
  end(outcome: RequestOutcome): void;
}

export interface Tracing {
  /** The span of one request, a child of the one that the client names. */
  begin(request: RequestFacts): RequestSpan;
  /** Runs work in a span, a child of the one it is done within. */
  during<T>(what: Timing, work: () => Promise<T>, word: string | undefined): Promise<T>;
  /** Sends what is left, and gives up after a second. Safe to repeat. */
  close(): Promise<void>;
}

/** Traces to the collector that the variables of OpenTelemetry name. Throws where they make no sense. */
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
    return await within(scope, work);
  } catch (error) {
    // Never the message: it may name what people wrote.
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
