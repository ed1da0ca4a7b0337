import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number; readonly message?: string };
}

export interface TraceCollector extends AsyncDisposable {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Attributes of the service that sent the last spans. */
  readonly resource: Record<string, unknown>;
  /** The raw requests. */
  readonly texts: string[];
}

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean; readonly doubleValue?: number };
type Attributes = readonly { readonly key: string; readonly value: Value }[];
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & { readonly attributes: Attributes })[];
    }[];
  }[];
}

const plain = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** An OTLP/JSON collector on its own port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const resource: Record<string, unknown> = {};
  const server = createServer((req, res) => {
    void json(req).then((body) => {
      texts.push(JSON.stringify(body));
      for (const { resource: service, scopeSpans } of (body as Sent).resourceSpans) {
        Object.assign(resource, plain(service.attributes));
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, attributes: plain(span.attributes) });
      }
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    resource,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
