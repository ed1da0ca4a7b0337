import { Flags } from '@oclif/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { App } from '../../app.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { detectNamespace } from '../../config/namespace.ts';
import { LoreError } from '../../memory/errors.ts';
import { isOnObjectStorage } from '../../memory/store-address.ts';
import type { KeyRing } from '../../memory/grant.ts';
import type { Log } from '../../memory/log.ts';
import { BaseCommand } from '../base-command.ts';
import { stdoutColors as pc } from '../print/colors.ts';
import { openOnceUnlocked } from '../connection.ts';
import { formatEmbedder } from '../print/entries.ts';
import { number } from '../flags/flags.ts';
import { onShutdown } from '../shutdown.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import { keysFile } from '../settings/keys-file.ts';
import { facts } from '../print/output.ts';
import { statusLine } from '../print/progress.ts';
import { checkedRequest } from '../flags/request.ts';
import { exitOnFaults, stopSignal } from '../server/server-lifetime.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const Listen = z.object({ port: z.int().min(0).max(65_535).optional(), host: z.string().min(1).optional() });
const WEB_ROOT = fileURLToPath(new URL('../../web', import.meta.url));
/** Time for running requests after a signal; the rest of the ten seconds is for the store. */
const FINISH_MS = 7_000;
const MODEL_WATCH_MS = 500;
/** Interval between attempts to reopen a shared store. */
const REOPEN_MS = 2_000;

interface Serving {
  readonly loaded: LoadedConfig;
  readonly live: LiveSettings;
  readonly app: App;
  readonly keys: KeyRing;
  readonly log: Log;
  readonly stop: Promise<void>;
  readonly port: number;
  /** Whether the start has not been announced yet. */
  readonly isFirst: boolean;
}

/** Throws if the store is shared and requests without a namespace would use one that exists only on this machine. */
async function refuseFolderNamespace({ storage, memory }: LoadedConfig['config']): Promise<void> {
  if (storage.path === undefined || !isOnObjectStorage(storage.path)) return;
  const { namespace, folder } = await detectNamespace({ cwd: process.cwd(), configured: memory.namespace });
  if (folder === undefined) return;
  throw new LoreError(
    'config',
    `Several servers share this store, but the namespace ${namespace} is named after a folder of this machine: ${folder}.`,
    {
      hint: 'Set memory.namespace (SERVICE_MEMORY_NAMESPACE), the same on every server.',
    },
  );
}

export default class Serve extends BaseCommand {
  static override summary = 'Start the server: HTTP API and web page.';
  static override description =
    'Runs until Ctrl-C or SIGTERM, finishes the requests it accepted and exits with 0. A second signal stops it immediately. Only one process opens a store; commands talk to the running server.';
  static override examples = [
    '<%= config.bin %> serve',
    '<%= config.bin %> serve --port 7100',
    'SERVICE_API_KEY=secret <%= config.bin %> serve --host 0.0.0.0',
  ];
  static override flags = {
    port: number({ char: 'p', description: 'Port to listen on; 0 for any free port (default server.port, 7007).' }),
    host: Flags.string({ description: 'Address to listen on (default server.host, 127.0.0.1).' }),
  };

  readonly #status = statusLine();
  /** Warnings from before the log exists. */
  readonly #early: string[] = [];
  #log: Log | undefined;

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const { port, host } = checkedRequest(Listen, { port: flags.port, host: flags.host });
    const loaded = await this.settings(flags, { 'server.port': port, 'server.host': host });
    await refuseFolderNamespace(loaded.config);
    const stop = stopSignal();
    const [{ serverLog }, { openKeyRing }, { LiveSettings }] = await Promise.all([
      import('../server/server-log.ts'),
      import('../../config/key-ring.ts'),
      import('../settings/live-settings.ts'),
    ]);
    const log = serverLog({ level: flags.verbose ? 'debug' : loaded.config.log.level, beforeLine: () => this.#status.clear() });
    exitOnFaults(log);
    this.#log = log;
    for (const text of this.#early) this.warning(text);
    const live = new LiveSettings(loaded, ({ log: { level } }) => (log.level = flags.verbose ? 'debug' : level));
    const keys = openKeyRing({ config: loaded.config, file: await keysFile(), log });
    let listening = loaded.config.server.port;
    const stopped = new AbortController();
    void stop.then(() => stopped.abort());
    for (let nth = 0; !stopped.signal.aborted; nth += 1) {
      try {
        await using app = await openOnceUnlocked(loaded, { log, env: process.env, settings: live });
        const unregister = onShutdown(() => app.close());
        listening = await this.serve({ loaded, live, app, keys, log, stop, port: listening, isFirst: nth === 0 });
        unregister();
      } catch (error) {
        if (nth === 0) throw error;
        log.warn({ err: error }, 'the store could not be reopened; Lore retries');
        // Keeps the process alive, because nothing else may be open.
        await sleep(REOPEN_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  }

  protected override onSignals(): void {
    // `stopSignal` handles signals.
  }

  /** Plain text on a terminal; otherwise JSON, so that a log collector sees only JSON lines. */
  protected override warning(text: string): void {
    if (process.stderr.isTTY) super.warning(text);
    else if (this.#log === undefined) this.#early.push(text);
    else this.#log.warn({}, text);
  }

  /** Serves until the process stops or the store must be reopened. Resolves with the port. */
  private async serve(parts: Serving): Promise<number> {
    const { app, keys, log } = parts;
    const { server, storage } = parts.loaded.config;
    const [{ createServer }, { VERSION: version }, { administrationHere }] = await Promise.all([
      import('../../http/server.ts'),
      import('../../app.ts'),
      import('../server/administration.ts'),
    ]);
    const administration = administrationHere();
    const { memories, answers, lockToken: localToken, audit, telemetry, isReady } = app;
    const { type: storageType, compression: compressExports } = storage;
    const serving = { settings: { ...server, port: parts.port }, storageType, compressExports, webRoot: WEB_ROOT, version, administration };
    const lore = createServer({ memories, answers, keys, log, localToken, audit, telemetry, isReady, ...serving });
    const { url, port } = await lore.listen();
    app.publishUrl(url);
    if (parts.isFirst) {
      this.announce(url, app);
      this.warnIfOpen(keys.required, server.cors);
    }
    const stopWatching = this.watchModel(app);
    const isLost = await Promise.race([parts.stop.then(() => false), app.lost.then(() => true)]);
    stopWatching();
    if (isLost) log.warn({ url }, 'this server was away from the store for too long: reopening it');
    else if (process.stderr.isTTY) this.note('Stopping: finishing accepted requests. Another signal stops at once.');
    else log.info({}, 'stopping: finishing accepted requests');
    await Promise.race([lore.close(), sleep(FINISH_MS, undefined, { ref: false })]);
    return port;
  }

  private announce(url: string, app: App): void {
    const report = app.choice.report();
    const why = app.choice.degraded();
    const docs = new URL('docs', url).href;
    if (this.jsonEnabled()) {
      const embedder = { ...report, ...withoutUndefined({ why }) };
      // One line, so that the program that started the server can read it while the server runs.
      process.stdout.write(
        `${JSON.stringify({ url, docs, store: app.storePath, embedder, namespace: app.namespace, pid: process.pid })}\n`,
      );
      return;
    }
    this.log(pc.bold(`Lore ${this.config.version} is listening on ${url}`));
    this.log(
      facts([
        ['API docs', docs],
        ['Store', app.storePath],
        ['Embedder', `${formatEmbedder(report)}${why === undefined ? '' : `: ${why}`}`],
        ['Namespace', `${app.namespace.namespace} (${app.namespace.why})`],
      ]),
    );
  }

  /** Warns that the API is open to every origin until a key is set, as the specification requires. */
  private warnIfOpen(keyRequired: boolean, cors: { enabled: boolean; origins: readonly string[] }): void {
    if (keyRequired || !cors.enabled || !cors.origins.includes('*')) return;
    this.warning(
      `no API key is set and CORS allows every origin, so any web page in this user's browser can read these memories; \`lore auth generate-key\` or \`lore init\` prevents that.`,
    );
  }

  /** Shows the download progress of the model on a terminal. Returns a function that stops it. */
  private watchModel(app: App): () => void {
    const look = () => {
      const { state, progress } = app.choice.report();
      if (state === 'downloading') this.#status.show(`Downloading the model ${Math.round((progress ?? 0) * 100)} %`);
      else this.#status.clear();
    };
    const timer = setInterval(look, MODEL_WATCH_MS);
    return () => {
      clearInterval(timer);
      this.#status.clear();
    };
  }
}
