import { Flags } from '@oclif/core';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LoreError } from '../../memory/errors.ts';
import { BaseCommand } from '../base-command.ts';
import { startBrowser } from '../server/browser.ts';
import { stdoutColors as pc } from '../print/colors.ts';
import { openDemo, type DemoServer } from '../server/demo-server.ts';
import { number } from '../flags/flags.ts';
import { onShutdown } from '../shutdown.ts';
import { facts } from '../print/output.ts';
import { statusLine } from '../print/progress.ts';
import { checkedRequest } from '../flags/request.ts';
import { exitOnFaults, stopSignal } from '../server/server-lifetime.ts';

const Listen = z.object({ port: z.int().min(0).max(65_535).default(0) });
const WEB_ROOT = fileURLToPath(new URL('../../web', import.meta.url));
const CLOSE_MS = 7_000;
const OVER = 'The demo has ended, and its store is removed.';

export default class Demo extends BaseCommand {
  static override summary = 'Try Lore with a temporary store of made-up memories.';
  static override description =
    'Fills a temporary store with about three hundred memories of a fictional software company, serves it on a free port and opens the page. It does not touch your store or settings. Ctrl-C stops it and removes everything.';
  static override examples = ['<%= config.bin %> demo', '<%= config.bin %> demo --no-open --port 7100', '<%= config.bin %> demo --keep'];
  static override flags = {
    port: number({ char: 'p', description: 'Port to listen on (default: any free port).' }),
    open: Flags.boolean({ default: true, allowNo: true, description: 'Open the page in the browser.' }),
    keep: Flags.boolean({ description: 'Keep the store at the end, and show how to serve it again.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const { port } = checkedRequest(Listen, { port: flags.port });
    const stop = stopSignal();
    const { serverLog } = await import('../server/server-log.ts');
    const log = serverLog({ level: flags.verbose ? 'debug' : 'warn', beforeLine: () => {} });
    exitOnFaults(log);
    const folder = await mkdtemp(join(tmpdir(), 'lore-demo-'));
    // The store is removed however the process ends, also by a second signal.
    const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    if (!flags.keep) process.once('exit', remove);
    const status = statusLine();
    status.show('Filling a store with made-up memories');
    const opening = openDemo({ folder, port, webRoot: WEB_ROOT, log }).finally(() => status.clear());
    await using demo = await Promise.race([opening, stop.then(() => undefined)]);
    if (demo === undefined) {
      // Interrupted while filling: the incomplete store is removed without waiting.
      process.once('exit', remove);
      status.clear();
      this.note(OVER);
      process.exit(0);
    }
    onShutdown(async () => demo[Symbol.asyncDispose]());
    this.announce(demo, flags.keep);
    if (flags.open) await this.show(demo.url);
    await stop;
    await Promise.race([demo[Symbol.asyncDispose](), sleep(CLOSE_MS, undefined, { ref: false })]);
    this.note(flags.keep ? `The store is kept. To serve it again: lore serve --config ${demo.configFile}` : OVER);
  }

  protected override onSignals(): void {
    // `stopSignal` handles signals.
  }

  /** The demo also works without a browser. */
  private async show(url: string): Promise<void> {
    await startBrowser(url).catch((error: unknown) => {
      if (!(error instanceof LoreError)) throw error;
      this.note(`${error.message} ${error.hint ?? ''}`);
    });
  }

  private announce({ url, storePath, configFile, memories }: DemoServer, kept: boolean): void {
    if (this.jsonEnabled()) {
      process.stdout.write(`${JSON.stringify({ url, store: storePath, config: configFile, memories, pid: process.pid })}\n`);
      return;
    }
    this.log(pc.bold(`The demo is on ${url}`));
    this.log(
      facts([
        ['Memories', `${memories.toLocaleString('en-US')}, all made up`],
        ['Store', `${storePath}${kept ? '' : ' (removed at the end)'}`],
        ['Stop', 'Ctrl-C'],
      ]),
    );
  }
}
