import * as lancedb from '@lancedb/lancedb';
import { LoreError } from '../../memory/errors.ts';
import { asStoreError } from '../errors/store-error.ts';

/** Time to connect to the service. */
const CONNECT_MS = 5_000;
/** Retries of one request; the wait before each is about twice the previous one. */
const RETRIES = 3;
const FIRST_WAIT_S = 0.2;

type Option = 'apiKey' | 'region' | 'hostOverride';

/** Names of options, ignoring case and `_`. */
const OPTIONS: ReadonlyMap<string, Option> = new Map([
  ['apikey', 'apiKey'],
  ['region', 'region'],
  ['hostoverride', 'hostOverride'],
]);

const DOCS = 'docs/lancedb-cloud.md lists what is there.';

interface CloudSettings {
  /** `storage.options`. */
  readonly options: Readonly<Record<string, string>>;
  /** Time limit of one request, including its retries. */
  readonly timeoutMs: number;
}

/** A connection to a database of LanceDB Cloud or Enterprise. Makes no request yet. Rejects with `config` for invalid settings. */
export async function connectToCloud(uri: string, { options, timeoutMs }: CloudSettings): Promise<lancedb.Connection> {
  const { apiKey = process.env['LANCEDB_API_KEY'], ...place } = cloudOptions(options);
  if (apiKey === undefined || apiKey === '') {
    throw new LoreError('config', `The store ${uri} needs a key of LanceDB Cloud.`, {
      hint: 'Set LANCEDB_API_KEY, or apiKey in storage.options.',
    });
  }
  // Attempts are sequential within the time limit.
  const timeout = timeoutMs / 1000 / 2;
  const clientConfig = {
    timeoutConfig: { connectTimeout: Math.min(CONNECT_MS / 1000, timeout), readTimeout: timeout },
    retryConfig: { retries: RETRIES, connectRetries: RETRIES, readRetries: 1, backoffFactor: FIRST_WAIT_S },
  };
  return await lancedb.connect(uri, { apiKey, ...place, clientConfig }).catch(asStoreError('connect to the store'));
}

function cloudOptions(options: CloudSettings['options']): Partial<Record<Option, string>> {
  const found: Partial<Record<Option, string>> = {};
  for (const [name, value] of Object.entries(options)) {
    const option = OPTIONS.get(name.toLowerCase().replaceAll('_', ''));
    if (option === undefined) {
      throw new LoreError('config', `storage.options has ${name}, which a store in LanceDB Cloud does not know.`, {
        hint: `It takes apiKey, region and hostOverride. ${DOCS}`,
      });
    }
    found[option] = value;
  }
  return found;
}
