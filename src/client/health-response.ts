/** Converts the health response of the reference representation back to `Health`. */
import { statusOf } from '../memory/health-status.ts';
import type { Health } from '../memory/operations/operations.ts';

type Counts = 'entriesInNamespace' | 'globalEntries' | 'autoCapture' | 'totalEntries' | 'averageImportance';

export interface HealthResponse extends Omit<Health, 'status' | 'namespace' | Counts> {
  readonly config: { readonly namespace: string };
  readonly stats: Pick<Health, Counts>;
  readonly uptime: unknown;
  readonly key: unknown;
  readonly requests: unknown;
}

export function healthFrom({ config, stats, uptime: _text, key: _key, requests: _server, ...health }: HealthResponse): Health {
  return { ...health, status: statusOf(health.degraded), namespace: config.namespace, ...stats };
}
