/**
 * The schema of all settings: type, range, default, unit and description. Loading, environment names, `lore config`, error reports and the
 * reference page derive from it.
 */
import { z } from 'zod';
import { MAX_RESULTS, Namespace, SEARCH_MODES } from '../memory/entry.ts';
import { checkTogether } from './cross-checks.ts';
import { dataPath } from './directories.ts';
import { isCron, isHeaderName, isHeaderSafe, isNetwork, isOrigin } from './formats.ts';
import { flag, key, fraction, integer, nonEmpty } from './key-types.ts';
import { storage } from './storage-keys.ts';
import { DAY_MS } from '../memory/durations.ts';

export type { KeyMeta } from './key-types.ts';

/** Version of the file format; older files are migrated (migrations.ts). */
export const CONFIG_VERSION = '0.1.0';

const auth = z.strictObject({
  enabled: key(z.boolean().optional(), 'Require an API key with every request.', {
    defaultText: 'true as soon as any key exists',
  }),
  apiKeys: key(
    z.array(nonEmpty.refine(isHeaderSafe)).default([]),
    'Keys that give full access, in addition to the keys of `lore auth generate-key`.',
    {
      secret: true,
      allowed: 'a list of keys of printable ASCII characters without spaces',
    },
  ),
});

const cors = z.strictObject({
  enabled: key(flag(true), 'Send CORS headers, so that pages of other origins may use the API.'),
  origins: key(z.array(z.string().refine(isOrigin)).default(['*']), 'Origins whose pages may use the API.', {
    allowed: 'a list of * or origins such as https://app.example.com',
  }),
  credentials: key(flag(false), 'Let such pages send cookies; needs `server.cors.origins` without `*`.'),
  methods: key(z.array(z.string().refine(isHeaderName)).default(['GET', 'POST', 'DELETE', 'OPTIONS']), 'Methods that CORS allows.', {
    allowed: 'a list of HTTP methods',
  }),
  headers: key(
    z.array(z.string().refine(isHeaderName)).default(['Content-Type', 'Authorization', 'x-api-key']),
    'Headers that CORS allows.',
    {
      allowed: 'a list of HTTP header names',
    },
  ),
});

const rateLimit = z.strictObject({
  enabled: key(
    z.union([z.boolean(), z.literal('remote')]).default('remote'),
    'Limit the rate of requests: of all clients, of none, or of `remote` ones only.',
    {
      allowed: 'true, false or "remote"',
    },
  ),
  requestsPerMinute: key(integer(1, 1_000_000, 100), 'Requests per minute and client.'),
  burstSize: key(z.int().min(1).max(1_000_000).optional(), 'Requests that a client may make at once.', {
    defaultText: 'the same as server.rateLimit.requestsPerMinute',
  }),
});

const server = z.strictObject({
  port: key(integer(0, 65_535, 7007), 'TCP port; 0 uses any free port. SERVICE_PORT takes precedence over SERVICE_SERVER_PORT.'),
  host: key(nonEmpty.regex(/^[^\s/]+$/).default('127.0.0.1'), 'Address to listen on; any address except loopback needs an API key.', {
    allowed: 'an IP address or a host name',
  }),
  allowUnauthenticated: key(flag(false), 'Allow listening beyond loopback without any API key.'),
  allowedHosts: key(
    z.array(nonEmpty).default([]),
    'Additional host names to accept in the Host header, such as the public name of a proxy.',
  ),
  trustedProxies: key(z.array(z.string().refine(isNetwork)).default([]), 'Proxies whose X-Forwarded-For header counts.', {
    allowed: 'a list of IP addresses or networks such as 10.0.0.0/8',
  }),
  responseForm: key(z.enum(['reference', 'guide']).default('reference'), 'Response form of requests that name none.'),
  bodyLimitBytes: key(integer(1024, 1_073_741_824, 10 * 1024 * 1024), 'Largest request body.', { unit: 'bytes' }),
  bodyMemoryMB: key(integer(1, 65_536, 256), 'Total size of request bodies in memory; a request above it is refused (503).', {
    unit: 'MB',
  }),
  requestTimeoutMs: key(integer(1, DAY_MS, 30_000), 'Time limit for a client to send a whole request.', { unit: 'ms' }),
  headersTimeoutMs: key(integer(1, DAY_MS, 10_000), 'Time limit for a client to send the headers of a request.', { unit: 'ms' }),
  maxConnections: key(integer(1, 65_535, 512), 'Maximum number of open connections.'),
  idempotencyMs: key(integer(1000, 30 * DAY_MS, DAY_MS), 'How long the response to a request with an Idempotency-Key is kept.', {
    unit: 'ms',
  }),
  auth: auth.prefault({}),
  cors: cors.prefault({}),
  rateLimit: rateLimit.prefault({}),
});

const PROVIDERS = ['local', 'builtin', 'openai', 'gemini'] as const;
export type Provider = (typeof PROVIDERS)[number];
/** Default model and vector length of each provider. */
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
    provider: key(z.enum(PROVIDERS).default('local'), 'Provider of embeddings; `builtin` needs no files and no network.'),
    model: key(nonEmpty.optional(), 'Name of the model.', { defaultText: perProvider('model') }),
    dimensions: key(z.int().min(8).max(8192).optional(), 'Length of the vectors.', { defaultText: perProvider('dimensions') }),
    batchSize: key(integer(1, 2048, 100), 'Texts per request to a hosted provider.'),
    apiKey: key(nonEmpty.refine(isHeaderSafe).optional(), 'Key of the hosted provider; default OPENAI_API_KEY or GEMINI_API_KEY.', {
      secret: true,
      allowed: 'printable ASCII characters without spaces',
    }),
    baseUrl: key(webAddress.optional(), 'Address of the hosted provider, or of any compatible server.', {
      allowed: 'an http or https address',
      defaultText: 'the address of the provider',
    }),
    cacheDir: key(nonEmpty.default(dataPath('models')), 'Folder for downloaded models.', {
      path: true,
      allowed: 'a folder',
      defaultText: '{data_dir}/models',
    }),
    localModelPath: key(nonEmpty.default(dataPath('models')), 'Folder with models that you installed yourself.', {
      path: true,
      allowed: 'a folder',
      defaultText: '{data_dir}/models',
    }),
    remoteHost: key(webAddress.default('https://huggingface.co/'), 'Address from which models are downloaded.', {
      allowed: 'an http or https address',
    }),
    allowDownload: key(flag(true), 'Download a missing model.'),
    idleUnloadMs: key(
      integer(0, 30 * DAY_MS, 300_000),
      'Idle time after which the local model is unloaded from memory; 0 keeps it loaded.',
      {
        unit: 'ms',
      },
    ),
    timeoutMs: key(integer(1, DAY_MS, 30_000), 'Time limit of one embedding request.', { unit: 'ms' }),
    maxConcurrent: key(integer(1, 256, 8), 'Maximum number of queries embedded at once; others wait.'),
    queueLimit: key(
      integer(1, 1_000_000, 10_000),
      'Maximum number of texts waiting for the model. Above it, vector searches are refused (503), and saved entries get their vectors later.',
    ),
  })
  .transform((given) => ({
    ...given,
    model: given.model ?? PROVIDER_DEFAULTS[given.provider].model,
    dimensions: given.dimensions ?? PROVIDER_DEFAULTS[given.provider].dimensions,
  }));

const search = z.strictObject({
  defaultMode: key(z.enum(SEARCH_MODES).default('hybrid'), 'Search mode of requests that name none.', { live: true }),
  vectorWeight: key(
    z.number().min(0).max(1).optional(),
    'Weight of vectors in the order of a hybrid search. It decreases if words match well.',
    {
      defaultText: '0.7; 0.1 for the builtin embedder',
    },
  ),
  keywordWeight: key(
    z.number().min(0).max(1).optional(),
    'Weight of words in the order of a hybrid search. It increases if words match well.',
    {
      defaultText: '0.3; 0.9 for the builtin embedder',
    },
  ),
  recencyWeight: key(fraction(0.15), 'Bonus of the newest result over the oldest at equal relevance; 0 means none.', { live: true }),
  importanceWeight: key(fraction(0), 'Bonus of an entry of importance 1 over one of 0 at equal relevance; 0 means none.', { live: true }),
  limit: key(integer(1, MAX_RESULTS, 10), 'Number of results of a recall or search without a limit.', { live: true }),
  hnswMaxElements: key(integer(1, 100_000_000, 10_000), 'Rows per partition of the vector index.'),
  hnswEfConstruction: key(integer(8, 2000, 200), 'Candidates examined while the vector index is built.'),
  vectorCacheMB: key(
    integer(0, 65_536, 128),
    'Memory for vectors, which makes vector search faster. If they do not fit, they are read from the store.',
    {
      unit: 'MB',
    },
  ),
  hnswEf: key(integer(1, 10_000, 100), 'Candidates examined by a vector search.'),
});

const capture = z.strictObject({
  enabled: key(flag(true), 'Capture prompts, answers and tool output from hooks.', { live: true }),
  assist: key(flag(false), 'Ask the agent, once per session, to save decisions or fixes of a turn that were not saved.', { live: true }),
  minOutputLength: key(integer(0, 1_000_000, 50), 'Shortest output that is captured.', { unit: 'characters', live: true }),
  ignoredTools: key(z.array(nonEmpty).default(['Read', 'Glob', 'Grep']), 'Tools whose output is never captured.', { live: true }),
  workerIntervalMs: key(integer(100, DAY_MS, 5000), 'Interval at which waiting events are processed.', { unit: 'ms' }),
  dedupSimilarityThreshold: key(fraction(0.95), 'Word similarity at which a captured text counts as known; only form may differ.'),
  sourceTag: key(nonEmpty.max(128).default('auto-capture'), 'Tag of captured entries.'),
  maxContentLength: key(integer(1, 1_000_000, 4096), 'Longest text that is captured; longer text is cut.', {
    unit: 'characters',
    live: true,
  }),
});

const memory = z.strictObject({
  namespace: key(Namespace.optional(), 'Namespace of requests that name none.', {
    allowed: '1 to 256 characters without control characters',
    defaultText: 'detected from the working directory',
  }),
  deduplicationThreshold: key(
    fraction(0.92),
    'Word similarity at which entries count as near duplicates; both are kept. A lower value finds looser ones.',
  ),
  chunkSize: key(integer(50, 100_000, 500), 'Length of the passages into which a long text is split for embedding.', {
    unit: 'characters',
  }),
  chunkOverlap: key(integer(0, 99_999, 100), 'Overlap of a passage with the previous one; less than `memory.chunkSize`.', {
    unit: 'characters',
  }),
  defaultLimit: key(integer(1, MAX_RESULTS, 10), 'Number of entries of a list without a limit.'),
  maxLimit: key(integer(1, MAX_RESULTS, MAX_RESULTS), 'Largest limit of a request.', { live: true }),
  redactSecrets: key(
    z
      .enum(['machines', 'always', 'never', 'capture'])
      // The value in older files.
      .transform((value) => (value === 'capture' ? 'machines' : value))
      .default('machines'),
    'Redact secrets before text is stored: in text by agents and machines (MCP, capture, index, ingest), in every text, or never.',
    { allowed: 'machines, always or never; capture means machines' },
  ),
});

const compaction = z.strictObject({
  enabled: key(flag(true), 'Archive old entries on a schedule.'),
  schedule: key(z.string().refine(isCron).default('0 2 * * 0'), 'Schedule of compaction, in local time.', {
    allowed: 'five cron fields of numbers, such as 0 2 * * 0 for Sundays at 02:00',
  }),
  ttlDays: key(integer(0, 36_500, 180), 'Age at which an unimportant entry is archived; 0 means never.', { unit: 'days', live: true }),
  maxEntries: key(
    integer(1, 100_000_000, 10_000),
    'Maximum number of entries per namespace; the least important ones above it are archived.',
    { live: true },
  ),
  removeLowImportance: key(flag(true), 'Archive old entries of low importance.', { live: true }),
  lowImportanceThreshold: key(fraction(0.3), 'Importance below which an entry counts as unimportant.', { live: true }),
  deduplicationSimilarityThreshold: key(fraction(0.95), 'Word similarity at which near duplicates are archived; only form may differ.', {
    live: true,
  }),
  archiveDays: key(integer(0, 36_500, 0), 'Age at which archived entries are deleted for good; 0 means never.', {
    unit: 'days',
    live: true,
  }),
});

const sync = z.strictObject({
  tombstoneDays: key(
    integer(1, 36_500, 180),
    'How long tombstones of permanent deletions are kept; push and pull send them to other stores.',
    {
      unit: 'days',
    },
  ),
});

const index = z.strictObject({
  maxFileSizeKB: key(integer(1, 1_048_576, 300), 'Largest file that is indexed.', { unit: 'KB' }),
  maxFilesPerScan: key(integer(1, 10_000_000, 1000), 'Files indexed per step; a run makes as many steps as the project needs.'),
  chunkSize: key(integer(200, 20_000, 1500), 'Length of passages of code and documents.', { unit: 'characters' }),
});

const audit = z.strictObject({
  enabled: key(
    flag(false),
    'Record who read, wrote and deleted which entries (docs/security.md); the log never contains texts or queries.',
  ),
  path: key(nonEmpty.default(dataPath('audit')), 'Folder of the audit log.', {
    path: true,
    allowed: 'a folder',
    defaultText: '{data_dir}/audit; {storage.localPath}/audit while the store is on object storage',
  }),
  maxFileBytes: key(integer(1024, 1_073_741_824, 10 * 1024 * 1024), 'Size at which the audit log file is rotated.', {
    unit: 'bytes',
  }),
  keepFiles: key(integer(0, 1000, 5), 'Number of rotated files to keep.'),
});

const log = z.strictObject({
  level: key(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'), 'Lowest level that is logged.', {
    live: true,
  }),
});

/** The whole configuration. Parsing `{}` gives all defaults; unknown keys are rejected. */
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
    version: key(z.string().default(CONFIG_VERSION), 'Version of the file format; older files are migrated when they are read.', {
      environment: false,
    }),
  })
  .superRefine(checkTogether);
export type Config = z.output<typeof ConfigSchema>;
export type ConfigInput = z.input<typeof ConfigSchema>;
