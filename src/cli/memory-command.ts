import { Flags } from '@oclif/core';
import type { DetectedNamespace } from '../config/namespace.ts';
import type { LoadedConfig } from '../config/load.ts';
import { silentLog, type Log } from '../memory/log.ts';
import { BaseCommand } from './base-command.ts';
import { connect, connectIfExists, type Connection, type ConnectOptions } from './connection.ts';
import { checkedRequest, NamedNamespace } from './flags/request.ts';

/** Flags of every command that reaches a store. */
export interface StoreFlags {
  readonly config?: string | undefined;
  readonly url?: string | undefined;
  readonly verbose?: boolean | undefined;
}

/** A command that needs the memories: finds the server that has the store open, or opens the store itself. */
export abstract class MemoryCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    url: Flags.string({
      helpGroup: 'GLOBAL',
      helpValue: 'URL',
      description: 'Use this server (key from SERVICE_API_KEY) instead of the one that has the store open.',
    }),
  };

  /** The memories and the namespace of the working directory; dispose it when done. */
  protected async openMemories(flags: StoreFlags): Promise<Connection & { readonly loaded: LoadedConfig }> {
    const loaded = await this.settings(flags);
    return { ...(await this.openStore(loaded, flags)), loaded };
  }

  /** Like `openMemories`, with a given configuration. */
  protected async openStore(loaded: LoadedConfig, flags: StoreFlags): Promise<Connection> {
    return this.#opened(await connect(loaded, connectOptions(flags)), flags);
  }

  /** Like `openStore`, for a command that only reads: undefined if there is no store; does not create one. */
  protected async openStoreIfThere(loaded: LoadedConfig, flags: StoreFlags): Promise<Connection | undefined> {
    const connection = await connectIfExists(loaded, connectOptions(flags));
    return connection && this.#opened(connection, flags);
  }

  /** Prints that there is no store yet. */
  protected noStore({ config }: LoadedConfig): undefined {
    this.log(`There is no store at ${config.storage.path} yet. The first save creates it.`);
  }

  #opened(connection: Connection, { verbose }: StoreFlags): Connection {
    if (verbose === true)
      this.note(connection.server === undefined ? 'The store is open in this process.' : `Asking ${connection.server}.`);
    return connection;
  }

  /** The namespace of the flag, or else of the working directory; the same with and without a server. */
  protected async namespaceFor(loaded: LoadedConfig, named: string | undefined): Promise<DetectedNamespace> {
    const { namespace } = checkedRequest(NamedNamespace, { namespace: named });
    if (namespace !== undefined) return { namespace, why: 'named by --namespace' };
    const { detectNamespace } = await import('../config/namespace.ts');
    return detectNamespace({ cwd: process.cwd(), configured: loaded.config.memory.namespace });
  }

  /** The namespace of a request: none with --all, else as `namespaceFor`. */
  protected async scopeFor(
    loaded: LoadedConfig,
    { all, namespace }: { readonly all: boolean; readonly namespace?: string | undefined },
  ): Promise<{ readonly namespace?: string }> {
    return all ? {} : { namespace: (await this.namespaceFor(loaded, namespace)).namespace };
  }
}

function connectOptions({ url, verbose }: StoreFlags): Omit<ConnectOptions, 'create'> {
  return { log: verbose === true ? verboseLog() : silentLog, url, key: process.env['SERVICE_API_KEY'] || undefined };
}

/** Log lines on request with `--verbose`. */
function verboseLog(): Log {
  const write = (level: string) => (fields: Record<string, unknown>, message: string) => {
    const shown = Object.entries(fields)
      .filter(([name]) => name !== 'err')
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    process.stderr.write(`${[`${level}:`, message, ...shown].join(' ')}\n`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
