/** The library: Lore in your own process, without a server. Set LANCE_CPU_THREADS=8 in the environment before the first import (README). */
export { openApp, VERSION, type App, type AppOptions } from './app.ts';
export { loadConfig, type LoadedConfig, type LoadOptions } from './config/load.ts';
export { createHttpClient } from './client/http-client.ts';
export type { Entry, EntryFilter, Priority, ScoredEntry, SearchMode, Source } from './memory/entry.ts';
export type * from './memory/operations/backup-operations.ts';
export type * from './memory/operations/capture-operations.ts';
export { LoreError, type ErrorCode } from './memory/errors.ts';
export { silentLog, type Log } from './memory/log.ts';
export type * from './memory/operations/operations.ts';
export type { Relation, RelationType } from './memory/relation.ts';
export type * from './memory/operations/relation-operations.ts';
export { restoreBackup, type Restored } from './restore-backup.ts';
