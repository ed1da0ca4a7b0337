import { Flags } from '@oclif/core';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { LoadedConfig } from '../../config/load.ts';
import { announceServer } from '../../config/server-announcement.ts';
import { localStoreFolder } from '../../lock-holder.ts';
import type { Log } from '../../memory/log.ts';
import type { McpMemories } from '../../mcp/caller.ts';
import { BaseCommand } from '../base-command.ts';
import { checkedRequest, NamedNamespace } from '../flags/request.ts';
import { exitOnFaults, stopSignal } from '../server/server-lifetime.ts';

/** JSON is longer than the text in it. */
const MESSAGE_PER_BODY = 2;
const PARENT_POLL_MS = 1_000;
/** The client requests the list of tools first, and gets it before the store is open. */
const OPEN_AFTER_MS = 200;

interface Shared {
  readonly memories: McpMemories;
  /** Opens the store in the background. Never rejects. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export default class Mcp extends BaseCommand {
  static override summary = 'Serve an AI client over the Model Context Protocol (stdio).';
  static override description =
    'A client starts this command; `lore setup` configures it. Several MCP servers and other commands share one store: the first one opens it for the others, and when it exits another takes over. It exits when its input or its parent process ends. The log goes to standard error.';
  static override examples = [
    '<%= config.bin %> mcp',
    '<%= config.bin %> mcp --namespace owner/repo',
    '<%= config.bin %> mcp --url http://127.0.0.1:7007',
  ];
  static override enableJsonFlag = false;
  static override flags = {
    namespace: Flags.string({
      char: 'n',
      description: 'Namespace of calls that name none (default: that of the folder of the client).',
    }),
    url: Flags.string({ helpValue: 'URL', description: 'Use this server (key from SERVICE_API_KEY) instead of opening a store.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const { namespace: named } = checkedRequest(NamedNamespace, { namespace: flags.namespace });
    const loaded = await this.settings(flags);
    const ending = whenToEnd();
    const withdraw = flags.url === undefined ? announceServer(localStoreFolder(loaded)) : () => undefined;
    const [{ createMcpServer }, { speakStdio }, { ProjectNamespace }, { serverLog }] = await Promise.all([
      import('../../mcp/server.ts'),
      import('../../mcp/stdio.ts'),
      import('../project-roots.ts'),
      import('../server/server-log.ts'),
    ]);
    const log = serverLog({ level: logLevel(loaded, flags.verbose), beforeLine: () => {} });
    exitOnFaults(log);
    const shared = await this.memoriesOf(loaded, { log, url: flags.url });
    const project = new ProjectNamespace({ loaded, configFile: flags.config, named, log });
    const openSoon = (): void => void setTimeout(() => void shared.open().then(withdraw), OPEN_AFTER_MS);
    const serverFor: McpServerFactory = ({ era }) => {
      const server = createMcpServer(shared.memories, {
        version: this.config.version,
        namespace: () => project.get(),
        trusted: true,
        log,
      });
      if (era === 'modern') openSoon();
      else {
        server.oninitialized = () => {
          project.follow(server);
          openSoon();
        };
      }
      return server;
    };
    if (process.stdin.isTTY) this.note('Waiting for an MCP client on standard input; Ctrl-C ends it.');
    const maxMessageBytes = MESSAGE_PER_BODY * loaded.config.server.bodyLimitBytes;
    const onError = (err: Error): void => log.debug({ err }, 'an MCP message could not be handled');
    await speakStdio(serverFor, { input: process.stdin, output: process.stdout, maxMessageBytes, signal: ending, onError });
    withdraw();
    await shared.close();
  }

  protected override onSignals(): void {
    // `stopSignal` handles signals.
  }

  private async memoriesOf(loaded: LoadedConfig, { log, url }: { log: Log; url: string | undefined }): Promise<Shared> {
    if (url !== undefined) {
      const { connect } = await import('../connection.ts');
      const connection = await connect(loaded, { log, url, key: process.env['SERVICE_API_KEY'] || undefined });
      return { memories: connection.memories, open: () => Promise.resolve(), close: () => connection.close() };
    }
    const { SharedMemories } = await import('../sharing/shared-memories.ts');
    const memories = new SharedMemories({ loaded, log, version: this.config.version });
    return { memories, open: () => memories.open(), close: () => memories.close() };
  }
}

/** Default `warn`: clients show every log line as a problem. */
function logLevel({ config }: LoadedConfig, verbose: boolean): string {
  if (verbose) return 'debug';
  return config.log.level === 'info' ? 'warn' : config.log.level;
}

/** Aborts on a signal, and when the parent process ends. */
function whenToEnd(): AbortSignal {
  const ending = new AbortController();
  void stopSignal().then(() => ending.abort());
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    ending.abort();
  }, PARENT_POLL_MS);
  watch.unref();
  return ending.signal;
}
