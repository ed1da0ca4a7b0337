import { z } from 'zod';
import { isBackupLocation, isStoreLocation, MAX_SHARDS } from '../memory/store-address.ts';
import { dataPath } from './directories.ts';
import { flag, key, integer, nonEmpty } from './key-types.ts';
import { DAY_MS } from '../memory/durations.ts';

/** The section `storage` of the configuration. */
export const storage = z.strictObject({
  type: key(z.enum(['lancedb']).default('lancedb'), 'Kind of store.', {
    advice: 'To move from another store (json, indexeddb, graph databases), import its JSON or JSONL file with `lore import`.',
  }),
  path: key(
    nonEmpty.refine(isStoreLocation).default(dataPath('store')),
    'Folder of the store, or the URI of a store on object storage, which several servers may share (docs/shared-store.md), or in LanceDB Cloud (docs/lancedb-cloud.md).',
    {
      path: true,
      defaultText: '{data_dir}/store',
      allowed:
        'a folder, or a URI such as s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, abfss://container@account/prefix or db://database',
      advice: 'Put keys and tokens into storage.options or the environment, not into the URI.',
    },
  ),
  options: key(
    z.record(nonEmpty, z.string()).default({}),
    'Options of the object store, such as region, endpoint and credentials; defaults come from the usual variables of its cloud. For LanceDB Cloud: apiKey (default LANCEDB_API_KEY), region and hostOverride.',
    {
      secret: true,
      allowed: 'a map of texts; in the environment: name=value,name=value or a JSON object',
    },
  ),
  localPath: key(
    nonEmpty.optional(),
    'Local folder of a server whose store is not in a folder: word counts, the audit log, crash markers; for a store in LanceDB Cloud also the write-ahead log. Each server on a machine needs its own.',
    {
      path: true,
      allowed: 'a folder',
      defaultText: '{data_dir}/shared/<hash of storage.path>',
    },
  ),
  readConsistencyMs: key(
    integer(0, 3_600_000, 1000),
    'On object storage, the maximum delay until a server sees changes of other servers; 0 checks before every read. A server sees its own changes at once.',
    { unit: 'ms' },
  ),
  timeoutMs: key(integer(100, DAY_MS, 30_000), 'Time limit of one request to object storage or LanceDB Cloud, including retries.', {
    unit: 'ms',
  }),
  leaseMs: key(
    integer(100, DAY_MS, 15_000),
    'On object storage, time without a heartbeat after which another server takes over maintenance.',
    { unit: 'ms' },
  ),
  shards: key(
    integer(1, MAX_SHARDS, 1),
    'Number of tables over which the entries are spread by namespace, so that maintenance of a large store only rewrites the changed part. A store in a folder is converted in the background; a store on object storage keeps its number.',
  ),
  durability: key(
    z.enum(['full', 'process']).default('full'),
    'Durability of an acknowledged change: `full` survives a power cut, `process` only the end of the process. `process` is faster on slow disks.',
  ),
  queueLimit: key(
    integer(1, 1_000_000, 10_000),
    'Maximum number of changes in progress. Above it, changes are refused (503) before any work is done, and imports wait.',
  ),
  queueMB: key(integer(1, 65_536, 256), 'Maximum size of the text of changes in progress.', { unit: 'MB' }),
  compression: key(flag(false), 'Compress backups, and exports by the server.'),
  reserveMB: key(
    integer(0, 1024, 8),
    'Disk space reserved in the store folder, so that forgetting, maintenance and a clean stop still work when the disk is full; less on a small disk, 0 reserves none.',
    { unit: 'MB' },
  ),
  backupInterval: key(integer(0, 30 * DAY_MS, 3_600_000), 'Interval between backups; 0 makes none.', { unit: 'ms' }),
  backupPath: key(
    nonEmpty.refine(isBackupLocation).optional(),
    'Folder of the backups of this store; no other store may use it. A store on object storage or in LanceDB Cloud has backups only if this is set, to a folder or to a URI of object storage.',
    {
      path: true,
      allowed: 'a folder, or a URI such as s3://bucket/prefix, gs://bucket/prefix or az://container/prefix',
      advice: 'Put keys and tokens into storage.options or the environment, not into the URI.',
      defaultText: 'backups/<name of the store> next to the store: {data_dir}/backups/store',
    },
  ),
  scrubInterval: key(
    integer(0, 365 * DAY_MS, DAY_MS),
    'Interval in which a server reads every entry and file of the store once, in quiet moments, and compares checksums; 0 turns it off.',
    { unit: 'ms' },
  ),
});
