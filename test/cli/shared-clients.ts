import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openCli, type Cli } from '../helpers/cli.ts';
import { startMcp, type McpProcess } from '../helpers/mcp.ts';

/** Several `lore mcp` on one store, new for each test. */
export interface SharedClients {
  readonly cli: Cli;
  /** Folder of the store. */
  readonly store: string;
  readonly start: () => Promise<McpProcess>;
  /** The process that has the store open, unless it is on its way to. */
  readonly holderPid: () => number | undefined;
}

/** Call it once, at the top of a file. */
export function sharedClients(): SharedClients {
  let cli: Cli;
  beforeEach(async () => {
    cli = await openCli();
  });
  afterEach(() => cli[Symbol.asyncDispose]());
  const store = (): string => join(cli.home, 'store');
  return {
    get cli() {
      return cli;
    },
    get store() {
      return store();
    },
    start: () => startMcp(cli, ['--namespace', 'shared'], { env: { SERVICE_STORAGE_PATH: store() } }),
    holderPid: () => {
      try {
        const { pid, url } = JSON.parse(readFileSync(join(store(), 'lore.lock'), 'utf8')) as { pid: number; url?: string };
        return url === undefined ? undefined : pid;
      } catch {
        return undefined;
      }
    },
  };
}
