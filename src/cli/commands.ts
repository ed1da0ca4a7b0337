import type { Command } from '@oclif/core';
import GenerateKey from './commands/auth/generate-key.ts';
import ListKeys from './commands/auth/list.ts';
import RevokeKey from './commands/auth/revoke.ts';
import ConfigCommand from './commands/config.ts';
import Doctor from './commands/doctor.ts';
import Explain from './commands/explain.ts';
import Export from './commands/export.ts';
import Forget from './commands/forget.ts';
import Get from './commands/get.ts';
import Import from './commands/import.ts';
import Init from './commands/init.ts';
import List from './commands/list.ts';
import Migrate from './commands/migrate.ts';
import Recall from './commands/recall.ts';
import Save from './commands/save.ts';
import Search from './commands/search.ts';
import Serve from './commands/serve.ts';
import Stats from './commands/stats.ts';
import Status from './commands/status.ts';

/** Every command by its id, for oclif. A command that is not finished is not in here. */
export const COMMANDS: Readonly<Record<string, Command.Class>> = {
  'auth:generate-key': GenerateKey,
  'auth:list': ListKeys,
  'auth:revoke': RevokeKey,
  config: ConfigCommand,
  doctor: Doctor,
  explain: Explain,
  export: Export,
  forget: Forget,
  get: Get,
  import: Import,
  init: Init,
  list: List,
  migrate: Migrate,
  recall: Recall,
  save: Save,
  search: Search,
  serve: Serve,
  stats: Stats,
  status: Status,
};
