/**
 * Every setting of Lore in one schema: type, range, default, unit and one sentence each. Loading, the environment names, `lore config`,
 * the fault reports and the reference page are all derived from it.
 */
import { z } from 'zod';
import { MAX_RESULTS, Namespace, SEARCH_MODES } from '../memory/entry.ts';
import { checkTogether } from './cross-checks.ts';
import { dataPath } from './directories.ts';
import { isCron, isHeaderName, isHeaderSafe, isNetwork, isOrigin } from './formats.ts';
import { DAY_MS, flag, key, share, whole, words } from './key-types.ts';
import { storage } from './storage-keys.ts';

export type { KeyMeta } from './key-types.ts';

/** The version of the file format this schema describes; older files are migrated to it (migrations.ts). */
export const CONFIG_VERSION = '0.1.0';

const auth = z.strictObject({
  enabled: key(z.boolean().optional(), 'Whether every request must carry an API key.', {
    defaultText: 'true as soon as any key exists',
  }),
  apiKeys: key(
    z.array(words.refine(isHeaderSafe)).default([]),
    'Keys that give full access, in addition to the keys of `lore auth generate-key`.',
    {
      secret: true,
      allowed: 'a list of keys of printable ASCII characters without spaces',
    },
  ),
});

const cors = z.strictObject({
  enabled: key(flag(true), 'Whether responses carry CORS headers, so that pages of other origins may use the API.'),
  origins: key(z.array(z.string().refine(isOrigin)).default(['*']), 'Origins whose pages may use the API.', {
    allowed: 'a list of * or origins such as https://app.example.com',
  }),
  credentials: key(flag(false), 'Whether such pages may send cookies; needs `server.cors.origins` without `*`.'),
  methods: key(z.array(z.string().refine(isHeaderName)).default(['GET', 'POST', 'DELETE', 'OPTIONS']), 'Methods allowed.', {
    allowed: 'a list of HTTP methods',
  }),
  headers: key(z.array(z.string().refine(isHeaderName)).default(['Content-Type', 'Authorization', 'x-api-key']), 'Headers allowed.', {
    allowed: 'a list of HTTP header names',
  }),
});

const rateLimit = z.strictObject({
  enabled: key(z.union([z.boolean(), z.literal('remote')]).default('remote'), 'Who is limited; `remote` spares this machine.', {
    allowed: 'true, false or "remote"',
  }),
  requestsPerMinute: key(whole(1, 1_000_000, 100), 'Requests a client may make per minute.'),
  burstSize: key(z.int().min(1).max(1_000_000).optional(), 'Requests a client may make at once.', {
    defaultText: 'the same as server.rateLimit.requestsPerMinute',
  }),
});

const server = z.strictObject({
  port: key(whole(0, 65_535, 7007), 'TCP port; 0 takes any free one. SERVICE_PORT counts before SERVICE_SERVER_PORT.'),
  host: key(words.regex(/^[^\s/]+$/).default('127.0.0.1'), 'Address to listen on; anything but loopback needs an API key.', {
    allowed: 'an IP address or a host name',
  }),
  allowUnauthenticated: key(flag(false), 'Allow listening beyond loopback without any API key.'),
  allowedHosts: key(z.array(words).default([]), 'Further Host header names to answer, such as the public name of a proxy.'),
  trustedProxies: key(z.array(z.string().refine(isNetwork)).default([]), 'Proxies whose X-Forwarded-For header counts.', {
    allowed: 'a list of IP addresses or networks such as 10.0.0.0/8',
  }),
  responseForm: key(z.enum(['reference', 'guide']).default('reference'), 'Form of the answers where a request names none.'),
  bodyLimitBytes: key(whole(1024, 1_073_741_824, 10 * 1024 * 1024), 'Largest request body.', { unit: 'bytes' }),
  bodyMemoryMB: key(whole(1, 65_536, 256), 'Request bodies that are held at once; beyond it a request is refused (503).', { unit: 'MB' }),
  requestTimeoutMs: key(whole(1, DAY_MS, 30_000), 'Time a client has to send a whole request.', { unit: 'ms' }),
  headersTimeoutMs: key(whole(1, DAY_MS, 10_000), 'Time a client has to send the headers of a request.', { unit: 'ms' }),
  maxConnections: key(whole(1, 65_535, 512), 'Connections open at once.'),
  idempotencyMs: key(whole(1000, 30 * DAY_MS, DAY_MS), 'Time for which the answer to a request with an Idempotency-Key is kept.', {
    unit: 'ms',
  }),
  auth: auth.prefault({}),
  cors: cors.prefault({}),
  rateLimit: rateLimit.prefault({}),
});

export const PROVIDERS = ['local', 'builtin', 'openai', 'gemini'] as const;
export type Provider = (typeof PROVIDERS)[number];
/** Model and vector length of each provider where the configuration names none. */
const PROVIDER_DEFAULTS = {
  local: { model: 'Xenova/all-MiniLM-L6-v2', dimensions: 384 },
  builtin: { model: 'hashed-words', dimensions: 384 },
  openai: { model: 'text-embedding-3-small', dimensions: 1536 },
  gemini: { model: 'gemini-embedding-001', dimensions: 768 },
} as const satisfies Record<Provider, { model: string; dimensions: number }>;

const perProvider = (field: 'model' | 'dimensions') =>
  PROVIDERS.map((provider) => `${String(PROVIDER_DEFAULTS[provider][field])} (${provider})`).join(', ');
const webAddress = z.url({ protocol: /^https?$/ });

const embeddings = z
  .strictObject({
    provider: key(z.enum(PROVIDERS).default('local'), 'What turns text into vectors; `builtin` needs no files and no network.'),
    model: key(words.optional(), 'Name of the model.', { defaultText: perProvider('model') }),
    dimensions: key(z.int().min(8).max(8192).optional(), 'Length of the vectors.', { defaultText: perProvider('dimensions') }),
    batchSize: key(whole(1, 2048, 100), 'Texts per request to a hosted provider.'),
    apiKey: key(words.refine(isHeaderSafe).optional(), 'Key of the hosted provider; without it OPENAI_API_KEY or GEMINI_API_KEY counts.', {
      secret: true,
      allowed: 'printable ASCII characters without spaces',
    }),
    baseUrl: key(webAddress.optional(), 'Address of the hosted provider, or of any server that speaks its protocol.', {
      allowed: 'an http or https address',
      defaultText: 'the address of the provider',
    }),
    cacheDir: key(words.default(dataPath('models')), 'Folder that downloaded models are kept in.', {
      path: true,
      allowed: 'a folder',
      defaultText: '{data_dir}/models',
    }),
    localModelPath: key(words.default(dataPath('models')), 'Folder that models you brought yourself are read from.', {
      path: true,
      allowed: 'a folder',
      defaultText: '{data_dir}/models',
    }),
    remoteHost: key(webAddress.default('https://huggingface.co/'), 'Where models are downloaded from.', {
      allowed: 'an http or https address',
    }),
    allowDownload: key(flag(true), 'Whether a missing model may be downloaded.'),
    idleUnloadMs: key(whole(0, 30 * DAY_MS, 300_000), 'Time without use after which the local model leaves memory; 0 keeps it.', {
      unit: 'ms',
    }),
    timeoutMs: key(whole(1, DAY_MS, 30_000), 'Time that one embedding request may take.', { unit: 'ms' }),
    maxConcurrent: key(whole(1, 256, 8), 'Queries that are embedded at once; further ones wait.'),
    queueLimit: key(
      whole(1, 1_000_000, 10_000),
      'Texts that may wait for the model; beyond it searches by meaning are refused (503), and what is saved gets its vectors later.',
    ),
  })
  .transform((given) => ({
    ...given,
    model: given.model ?? PROVIDER_DEFAULTS[given.provider].model,
    dimensions: given.dimensions ?? PROVIDER_DEFAULTS[given.provider].dimensions,
  }));

const search = z.strictObject({
  defaultMode: key(z.enum(SEARCH_MODES).default('hybrid'), 'Search mode where a request names none.'),
  vectorWeight: key(
    z.number().min(0).max(1).optional(),
    'Weight of the vectors in the order of a hybrid search; the better the words answer it, the less they count.',
    {
      defaultText: '0.7; 0.1 for the builtin embedder',
    },
  ),
  keywordWeight: key(
    z.number().min(0).max(1).optional(),
    'Weight of the words in the order of a hybrid search; the better they answer it, the more they count.',
    {
      defaultText: '0.3; 0.9 for the builtin embedder',
    },
  ),
  recencyWeight: key(
    share(0.15),
    'How much the newest of the entries found is put before the oldest, where both answer as well; 0 is not at all.',
  ),
  importanceWeight: key(share(0), 'How much an entry of importance 1 is put before one of 0, where both answer as well; 0 is not at all.'),
  limit: key(whole(1, MAX_RESULTS, 10), 'Results of a recall or search where a request names no limit.'),
  hnswMaxElements: key(whole(1, 100_000_000, 10_000), 'Rows per partition of the vector index.'),
  hnswEfConstruction: key(whole(8, 2000, 200), 'Candidates looked at while the vector index is built.'),
  vectorCacheMB: key(
    whole(0, 65_536, 128),
    'Memory for vectors, which makes searching by them faster; beyond it they are read from the store.',
    {
      unit: 'MB',
    },
  ),
  hnswEf: key(whole(1, 10_000, 100), 'Candidates looked at by a vector search.'),
});

const capture = z.strictObject({
  enabled: key(flag(true), 'Whether the output of tools is captured.'),
  assist: key(flag(false), 'Whether the agent is asked, once per session, to save what was decided or fixed in a turn and not saved.'),
  minOutputLength: key(whole(0, 1_000_000, 50), 'Shortest output that is captured.', { unit: 'characters' }),
  ignoredTools: key(z.array(words).default(['Read', 'Glob', 'Grep']), 'Tools whose output is never captured.'),
  workerIntervalMs: key(whole(100, DAY_MS, 5000), 'Time between two looks at what waits to be stored.', { unit: 'ms' }),
  dedupSimilarityThreshold: key(share(0.95), 'Similarity of the words from which a captured text counts as known; only form may differ.'),
  sourceTag: key(words.max(128).default('auto-capture'), 'Tag of captured entries.'),
  maxContentLength: key(whole(1, 1_000_000, 4096), 'Longest text that is captured; the rest is cut.', { unit: 'characters' }),
});

const memory = z.strictObject({
  namespace: key(Namespace.optional(), 'Namespace of requests that name none.', {
    allowed: '1 to 256 characters, none of them a control character',
    defaultText: 'detected from the working directory',
  }),
  deduplicationThreshold: key(
    share(0.92),
    'Similarity of the words from which entries count as near duplicates; both are kept. Lower finds looser ones.',
  ),
  chunkSize: key(whole(50, 100_000, 500), 'Length of the passages of a long text that are embedded.', { unit: 'characters' }),
  chunkOverlap: key(whole(0, 99_999, 100), 'Text that a passage shares with the one before; less than `memory.chunkSize`.', {
    unit: 'characters',
  }),
  defaultLimit: key(whole(1, MAX_RESULTS, 10), 'Entries of a list where a request names no limit.'),
  maxLimit: key(whole(1, MAX_RESULTS, MAX_RESULTS), 'Largest limit a request may name.'),
  redactSecrets: key(
    z
      .enum(['machines', 'always', 'never', 'capture'])
      // What files of before say.
      .transform((value) => (value === 'capture' ? 'machines' : value))
      .default('machines'),
    'In which text secrets are redacted before it is stored: in what agents and machines write (MCP, capture, index, ingest), in every text, or in none.',
    { allowed: 'machines, always or never; capture means machines' },
  ),
});

const compaction = z.strictObject({
  enabled: key(flag(true), 'Whether old entries are archived on a schedule.'),
  schedule: key(z.string().refine(isCron).default('0 2 * * 0'), 'When compaction runs, local time.', {
    allowed: 'five cron fields of numbers, such as 0 2 * * 0 for Sundays at 02:00',
  }),
  ttlDays: key(whole(0, 36_500, 180), 'Age from which an entry may be archived; 0 means never.', { unit: 'days' }),
  maxEntries: key(whole(1, 100_000_000, 10_000), 'Entries per namespace; the least important beyond it are archived.'),
  removeLowImportance: key(flag(true), 'Whether unimportant entries are archived.'),
  lowImportanceThreshold: key(share(0.3), 'Importance below which an entry counts as unimportant.'),
  deduplicationSimilarityThreshold: key(
    share(0.95),
    'Similarity of the words from which duplicates may be archived; only form may differ.',
  ),
  archiveDays: key(whole(0, 36_500, 0), 'Age from which archived entries are removed for good; 0 means never.', { unit: 'days' }),
});

const sync = z.strictObject({
  tombstoneDays: key(
    whole(1, 36_500, 180),
    'Time for which a store knows what was deleted for good, and tells it to others by push and pull.',
    {
      unit: 'days',
    },
  ),
});

const index = z.strictObject({
  maxFileSizeKB: key(whole(1, 1_048_576, 300), 'Largest file that is indexed.', { unit: 'KB' }),
  maxFilesPerScan: key(whole(1, 10_000_000, 1000), 'Files indexed per scan; a run makes as many scans as the project needs.'),
  chunkSize: key(whole(200, 20_000, 1500), 'Length of the passages of files, of code and of documents.', { unit: 'characters' }),
});

const audit = z.strictObject({
  enabled: key(
    flag(false),
    'Whether a log is kept of who read, wrote and deleted what (docs/security.md); texts and queries never are in it.',
  ),
  path: key(words.default(dataPath('audit')), 'Folder of that log.', {
    path: true,
    allowed: 'a folder',
    defaultText: '{data_dir}/audit; {storage.localPath}/audit while the store is on object storage',
  }),
  maxFileBytes: key(whole(1024, 1_073_741_824, 10 * 1024 * 1024), 'Size from which its file is set aside and a new one begun.', {
    unit: 'bytes',
  }),
  keepFiles: key(whole(0, 1000, 5), 'Files set aside that are kept; older ones are removed.'),
});

const log = z.strictObject({
  level: key(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'), 'Least severe lines that are logged.'),
});

/** The whole configuration. Parsing `{}` gives every default; unknown keys are refused. */
export const ConfigSchema = z
  .strictObject({
    server: server.prefault({}),
    storage: storage.prefault({}),
    embeddings: embeddings.prefault({}),
    search: search.prefault({}),
    capture: capture.prefault({}),
    memory: memory.prefault({}),
    compaction: compaction.prefault({}),
    sync: sync.prefault({}),
    index: index.prefault({}),
    audit: audit.prefault({}),
    log: log.prefault({}),
    version: key(z.string().default(CONFIG_VERSION), 'Version of the file format; older files are read and migrated.', {
      environment: false,
    }),
  })
  .superRefine(checkTogether);
export type Config = z.output<typeof ConfigSchema>;
export type ConfigInput = z.input<typeof ConfigSchema>;
