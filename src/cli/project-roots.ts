import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import type { LoadedConfig } from '../config/load.ts';
import { detectNamespace } from '../config/namespace.ts';
import type { Log } from '../memory/log.ts';

const ASK_MS = 2_000;

/** The namespace of an MCP client's project. */
export class ProjectNamespace {
  readonly #options: {
    readonly loaded: LoadedConfig;
    readonly configFile: string | undefined;
    readonly named: string | undefined;
    readonly log: Log;
  };
  #found: Promise<string> | undefined;

  /** `named` is the folder named by the client, unchecked. */
  constructor(options: { loaded: LoadedConfig; configFile: string | undefined; named: string | undefined; log: Log }) {
    this.#options = options;
  }

  /** The namespace of `CLAUDE_PROJECT_DIR`, else of the first root of a client of an older revision, else of the working directory. */
  async get(): Promise<string> {
    return await (this.#found ??= this.#ofFolder(projectFolder() ?? process.cwd()));
  }

  /**
   * Requests the roots of a client of 2025-11-25 or older, when that is allowed and whenever they change. Later revisions have no roots.
   */
  follow(server: Server): void {
    const isNamed = this.#options.named !== undefined || projectFolder() !== undefined;
    if (isNamed || server.getClientCapabilities()?.roots === undefined) return;
    const ask = (): void => {
      const asked = server.listRoots(undefined, { timeout: ASK_MS });
      this.#found = asked
        .then(({ roots }) => this.#ofFolder(folderOf(roots)))
        .catch((err: unknown) => {
          this.#options.log.warn({ err }, 'the client did not name its folder: using the working directory');
          return this.#ofFolder(process.cwd());
        });
    };
    server.setNotificationHandler('notifications/roots/list_changed', ask);
    ask();
  }

  async #ofFolder(folder: string): Promise<string> {
    const { named, configFile, loaded } = this.#options;
    if (named !== undefined) return named;
    const configured = folder === process.cwd() ? loaded.config.memory.namespace : await namespaceSetIn(folder, configFile);
    return (await detectNamespace({ cwd: folder, configured })).namespace;
  }
}

/** The project folder, as Claude Code passes it to its MCP servers. */
function projectFolder(): string | undefined {
  const folder = process.env['CLAUDE_PROJECT_DIR'];
  return folder !== undefined && isAbsolute(folder) && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? folder
    : undefined;
}

function folderOf(roots: readonly { readonly uri: string }[]): string {
  const folder = roots.find(({ uri }) => uri.startsWith('file:'));
  return folder === undefined ? process.cwd() : fileURLToPath(folder.uri);
}

/** `memory.namespace` in the file of the project. */
async function namespaceSetIn(folder: string, configFile: string | undefined): Promise<string | undefined> {
  const { loadConfig } = await import('../config/load.ts');
  return loadConfig({ cwd: folder, configFile }).config.memory.namespace;
}
