import type { Command } from '@oclif/core';
import Archive from './commands/archive.ts';
import GenerateKey from './commands/auth/generate-key.ts';
import ListKeys from './commands/auth/list.ts';
import RevokeKey from './commands/auth/revoke.ts';
import BackupList from './commands/backup/list.ts';
import BackupNow from './commands/backup/now.ts';
import BackupRestore from './commands/backup/restore.ts';
import BackupVerify from './commands/backup/verify.ts';
import CaptureInboxCommand from './commands/capture/inbox.ts';
import CaptureSessionsCommand from './commands/capture/sessions.ts';
import CaptureStatsCommand from './commands/capture/stats.ts';
import CaptureUndoCommand from './commands/capture/undo.ts';
import Compact from './commands/archive/compact.ts';
import CompletionCommand from './commands/completion.ts';
import ConfigCommand from './commands/config.ts';
import Demo from './commands/demo.ts';
import Doctor from './commands/doctor.ts';
import Edit from './commands/edit.ts';
import Entities from './commands/entities.ts';
import RenameEntity from './commands/entities/rename.ts';
import Explain from './commands/explain.ts';
import Export from './commands/export.ts';
import Forget from './commands/forget.ts';
import Get from './commands/get.ts';
import HistoryCommand from './commands/history.ts';
import HookCommand from './commands/hook.ts';
import Import from './commands/import.ts';
import Index from './commands/index.ts';
import Ingest from './commands/ingest.ts';
import Init from './commands/init.ts';
import List from './commands/list.ts';
import Mcp from './commands/mcp.ts';
import Migrate from './commands/migrate.ts';
import NamespaceList from './commands/namespace/list.ts';
import NamespaceMerge from './commands/namespace/merge.ts';
import NamespaceMove from './commands/namespace/move.ts';
import NamespaceRename from './commands/namespace/rename.ts';
import Open from './commands/open.ts';
import Pull from './commands/pull.ts';
import Push from './commands/push.ts';
import Recall from './commands/recall.ts';
import Relate from './commands/relate.ts';
import Relations from './commands/relations.ts';
import Restore from './commands/archive/restore.ts';
import Save from './commands/save.ts';
import Serve from './commands/serve.ts';
import Setup from './commands/setup.ts';
import Stats from './commands/stats.ts';
import Teardown from './commands/teardown.ts';
import Trust from './commands/trust.ts';
import Unrelate from './commands/unrelate.ts';
import { commandAlias } from './command-alias.ts';

/** Every command by its id, for oclif. */
export const COMMANDS: Readonly<Record<string, Command.Class>> = {
  'auth:generate-key': GenerateKey,
  'auth:list': ListKeys,
  'auth:revoke': RevokeKey,
  'backup:list': BackupList,
  'backup:now': BackupNow,
  'backup:restore': BackupRestore,
  'backup:verify': BackupVerify,
  archive: Archive,
  'archive:compact': Compact,
  'archive:restore': Restore,
  'capture:inbox': CaptureInboxCommand,
  'capture:sessions': CaptureSessionsCommand,
  'capture:stats': CaptureStatsCommand,
  'capture:undo': CaptureUndoCommand,
  compact: commandAlias(Compact),
  completion: CompletionCommand,
  config: ConfigCommand,
  demo: Demo,
  doctor: Doctor,
  edit: Edit,
  entities: Entities,
  'entities:rename': RenameEntity,
  explain: Explain,
  export: Export,
  forget: Forget,
  get: Get,
  graph: commandAlias(Relations, ['--graph']),
  history: HistoryCommand,
  hook: HookCommand,
  import: Import,
  index: Index,
  ingest: Ingest,
  init: Init,
  list: List,
  mcp: Mcp,
  migrate: Migrate,
  'namespace:list': NamespaceList,
  'namespace:merge': NamespaceMerge,
  'namespace:move': NamespaceMove,
  'namespace:rename': NamespaceRename,
  open: Open,
  pull: Pull,
  push: Push,
  recall: Recall,
  relate: Relate,
  related: commandAlias(Relations, ['--entries']),
  relations: Relations,
  restore: commandAlias(Restore),
  save: Save,
  search: commandAlias(Recall, ['--all']),
  serve: Serve,
  setup: Setup,
  stats: Stats,
  status: commandAlias(Doctor, ['--status']),
  teardown: Teardown,
  trust: Trust,
  unrelate: Unrelate,
  verify: commandAlias(Doctor, ['--verify']),
};
