import { z } from 'zod';
import { isBackupPlace, isStorePlace, MAX_SHARDS } from '../memory/store-address.ts';
import { dataPath } from './directories.ts';
import { DAY_MS, flag, key, whole, words } from './key-types.ts';

/** The section `storage` of the configuration. */
export const storage = z.strictObject({
  type: key(z.enum(['lancedb']).default('lancedb'), 'Kind of store.', {
    advice: 'Other stores (json, indexeddb, graph databases) come in by `lore import`, which reads a JSON or JSONL store file.',
  }),
  path: key(
    words.refine(isStorePlace).default(dataPath('store')),
    'Folder of the store, or the URI of one on object storage, which many servers may share (docs/shared-store.md), or in LanceDB Cloud (docs/lancedb-cloud.md).',
    {
      path: true,
      defaultText: '{data_dir}/store',
      allowed:
        'a folder, or a URI such as s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, abfss://container@account/prefix or db://database',
      advice: 'Keys and tokens belong into storage.options or the environment, not into the URI.',
    },
  ),
  options: key(
    z.record(words, z.string()).default({}),
    'Options of the object store, such as region, endpoint and credentials; what is not here is taken from the usual variables of its cloud. For LanceDB Cloud apiKey (default LANCEDB_API_KEY), region and hostOverride.',
    {
      secret: true,
      allowed: 'names with texts; in the environment: name=value,name=value or a JSON object',
    },
  ),
  localPath: key(
    words.optional(),
    'Folder in which a server keeps files of its own while the store is elsewhere: counted words, the audit log, notes on work under way; for a store in LanceDB Cloud the journal too. One for each server of a machine.',
    {
      path: true,
      allowed: 'a folder',
      defaultText: '{data_dir}/shared/<hash of storage.path>',
    },
  ),
  readConsistencyMs: key(
    whole(0, 3_600_000, 1000),
    'On object storage, after how long at the latest a server reads what others wrote; 0 looks before every read. Its own writes it reads at once.',
    { unit: 'ms' },
  ),
  timeoutMs: key(
    whole(100, DAY_MS, 30_000),
    'Time that one request to object storage or LanceDB Cloud may take, and further tries of it together.',
    {
      unit: 'ms',
    },
  ),
  leaseMs: key(
    whole(100, DAY_MS, 15_000),
    'On object storage, time without a sign of life after which another server takes over the maintenance.',
    { unit: 'ms' },
  ),
  shards: key(
    whole(1, MAX_SHARDS, 1),
    'Tables that the entries are spread over by namespace, so that the upkeep of a large store costs what changed and not the whole store. A store in a folder is brought there in the background; one on object storage stays as it was made.',
  ),
  durability: key(
    z.enum(['full', 'process']).default('full'),
    'What an acknowledged change survives: `full` a power cut, `process` only the end of the process. `process` spares slow disks.',
  ),
  queueLimit: key(
    whole(1, 1_000_000, 10_000),
    'Changes that may be under way at once; beyond it they are refused (503) before anything is done for them, and imports wait.',
  ),
  queueMB: key(whole(1, 65_536, 256), 'Text of such changes, likewise.', { unit: 'MB' }),
  compression: key(flag(false), 'Whether backups and exports written by the server are compressed.'),
  reserveMB: key(
    whole(0, 1024, 8),
    'Space that is held in the store folder for the day on which the disk is full, so that forgetting, tidying up and an orderly end still work then; less on a small disk, 0 holds none.',
    { unit: 'MB' },
  ),
  backupInterval: key(whole(0, 30 * DAY_MS, 3_600_000), 'Time between backups; 0 makes none.', { unit: 'ms' }),
  backupPath: key(
    words.refine(isBackupPlace).optional(),
    'Folder of the backups of this store; no other store may use it. For a store on object storage or in LanceDB Cloud, which has no backups without, it may be a URI of object storage too.',
    {
      path: true,
      allowed: 'a folder, or a URI such as s3://bucket/prefix, gs://bucket/prefix or az://container/prefix',
      advice: 'Keys and tokens belong into storage.options or the environment, not into the URI.',
      defaultText: 'backups/<name of the store> next to the store: {data_dir}/backups/store',
    },
  ),
  scrubInterval: key(
    whole(0, 365 * DAY_MS, DAY_MS),
    'Time in which a server reads every entry and every file of the store once, in quiet moments, and compares it with its checksum; 0 never does.',
    { unit: 'ms' },
  ),
});
