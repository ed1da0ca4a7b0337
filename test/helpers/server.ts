import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { z } from 'zod';
import { openApp, VERSION, type App } from '../../src/app.ts';
import { generateKey, openKeyRing } from '../../src/config/api-keys.ts';
import { ConfigSchema, type ConfigInput } from '../../src/config/schema.ts';
import type { guideOperations } from '../../src/http/representations/guide.ts';
import type { ProblemBody } from '../../src/http/responses/problem.ts';
import { createServer } from '../../src/http/server.ts';
import { LoreError } from '../../src/memory/errors.ts';
import type { Administration, SettingOperations, SettingsReport } from '../../src/memory/operations/administration.ts';
import type { Grant } from '../../src/memory/grant.ts';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import type { OPERATIONS, OperationGroup } from '../../src/operations/table.ts';
import type { StoreOperations } from '../../src/memory/operations/sync-operations.ts';
import { storeLocation } from './store-location.ts';

export const TEST_NAMESPACE = 'test';
export const LOCAL_TOKEN = 'token-of-the-lock-file';

export interface TestServerOptions {
  readonly server?: ConfigInput['server'];
  /** Below the folder of the server unless `path` is set. */
  readonly audit?: ConfigInput['audit'];
  /** Default: a folder. */
  readonly storage?: ConfigInput['storage'];
  /** Default: the builtin embedder. */
  readonly embeddings?: ConfigInput['embeddings'];
  /** Generates a key for each, under its name. */
  readonly keys?: readonly Grant[];
  /** Default: a folder that does not exist. */
  readonly webRoot?: string;
  /** Its administration report; none by default. */
  readonly administration?: Administration & { readonly settings?: () => SettingsReport };
  /** Changes its settings; none by default. */
  readonly settings?: SettingOperations;
  /** How long an upload or the reading of a response may stall. */
  readonly stallMs?: number;
  /** Replaces operations of the app: a proxy that leaves the others unchanged. */
  readonly memories?: (real: StoreOperations) => MemoryOperations;
}

type DefinedBody<O extends { readonly result: z.ZodType }> = {
  readonly success: true;
  readonly count: number;
  readonly message: string;
} & (O extends {
  readonly as: infer Name extends string;
}
  ? { readonly [K in Name]: z.input<O['result']> }
  : O extends { readonly form: { readonly schema: infer Form extends z.ZodType } }
    ? z.input<Form>
    : z.input<O['result']>);
type DefinedBodies = {
  [G in OperationGroup]: { [N in keyof Groups[G]]: DefinedBody<Groups[G][N] & { result: z.ZodType }> }[keyof Groups[G]];
}[OperationGroup];
type Groups = typeof OPERATIONS;
type GuideOperations = typeof guideOperations;
type Bodies = ProblemBody | DefinedBodies | { [O in keyof GuideOperations]: z.output<GuideOperations[O]> }[keyof GuideOperations];
type FieldOf<U, K extends PropertyKey> = U extends { readonly [P in K]?: infer V } ? V : never;
type Both<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;
type Wide<V> = [V] extends [string | undefined]
  ? string
  : [V] extends [number]
    ? number
    : [V] extends [boolean]
      ? boolean
      : Both<NonNullable<V>>;
type KeyOf<U> = U extends unknown ? keyof U : never;
/** Every field of every response in either representation. */
export type Body = { readonly [K in KeyOf<Bodies>]: Wide<FieldOf<Bodies, K>> };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is no JSON. Tests find out which fields exist. */
  readonly body: Body;
}

export interface CallOptions {
  /** Sent as JSON, unless it is a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly app: App;
  /** Folder of all its files. */
  readonly folder: string;
  /** The generated keys by name. */
  readonly keys: ReadonlyMap<string, string>;
  /** The file of generated keys. */
  readonly keysFile: string;
  /** Every log line. */
  readonly logged: readonly Record<string, unknown>[];
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Saves a text and returns its id. */
  save(content: string, fields?: Record<string, unknown>): Promise<string>;
  /** Closes only the HTTP server. */
  closeServer(): Promise<void>;
  /** Closes everything and removes the folder. */
  close(): Promise<void>;
}

/** Settings that can be read and not changed. */
const shownOnly = (report: () => SettingsReport): SettingOperations => ({
  list: () => Promise.resolve(report()),
  change: () => Promise.reject(new LoreError('not_found', 'Nothing can be changed here.')),
});

/** A real server on a real store in a temporary folder; port 0, builtin embedder. Removes everything when disposed. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { server = {}, keys: grants = [], webRoot, memories, administration, embeddings = { provider: 'builtin' } } = options;
  const folder = await mkdtemp(join(tmpdir(), 'lore-http-'));
  const config = ConfigSchema.parse({
    server: { port: 0, ...server },
    storage: { ...options.storage, ...(options.storage?.path === undefined && (await storeLocation(folder))) },
    embeddings,
    memory: { namespace: TEST_NAMESPACE },
    audit: { path: join(folder, 'audit'), ...options.audit },
  });
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const file = join(folder, 'keys.json');
  const keys = new Map<string, string>();
  for (const grant of grants) keys.set(grant.name, (await generateKey({ file, ...grant })).key);
  const shown = administration?.settings;
  const settings = options.settings ?? (shown && shownOnly(shown));
  const app = await openApp({ config }, { log, cwd: folder, keysFile: file, ...(settings && { settings }) });
  const lore = createServer({
    memories: (memories?.(app.memories) as StoreOperations | undefined) ?? app.memories,
    answers: app.answers,
    keys: openKeyRing({ config, file, log }),
    localToken: LOCAL_TOKEN,
    audit: app.audit,
    telemetry: app.telemetry,
    isReady: app.isReady,
    settings: config.server,
    storageType: config.storage.type,
    log,
    webRoot: webRoot ?? join(folder, 'no-web'),
    version: VERSION,
    ...(administration && { administration }),
    ...(options.stallMs !== undefined && { stallMs: options.stallMs }),
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await lore.close();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  };
  const { url, port } = await lore.listen().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const call = (method: string, path: string, options?: CallOptions): Promise<Answer> => request(url, method, path, options);
  return {
    url,
    port,
    app,
    folder,
    keys,
    keysFile: file,
    logged,
    call,
    async save(content, fields = {}) {
      const { body } = await call('POST', '/api/save?form=reference', { body: { content, ...fields } });
      return body.ids[0]!;
    },
    closeServer: () => lore.close(),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

async function request(url: string, method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) as Body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
