import { Command, Flags } from '@oclif/core';
import type { LoadedConfig, LoadOptions } from '../config/load.ts';
import { stderrColors as pc } from './print/colors.ts';
import { reportFailure } from './failure.ts';
import { endOnSignals, runningShutdown } from './shutdown.ts';
import { printable } from './print/output.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Shared by all commands: the global flags, `--json`, exit codes, an orderly end on Ctrl-C. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    config: Flags.string({
      helpGroup: 'GLOBAL',
      helpValue: 'FILE',
      description: 'Read this configuration file.',
    }),
    verbose: Flags.boolean({ helpGroup: 'GLOBAL', description: 'Print more details, and the causes of an error.' }),
    'no-color': Flags.boolean({ helpGroup: 'GLOBAL', description: 'Print without colours (so does NO_COLOR=1).' }),
  };

  override async init(): Promise<void> {
    await super.init();
    this.onSignals();
  }

  override async catch(error: unknown): Promise<void> {
    // The command was interrupted, so later errors need no report.
    if (runningShutdown()) return;
    process.exitCode = reportFailure(error, {
      json: this.jsonEnabled(),
      verbose: this.flagGiven('--verbose'),
      command: this.id,
    });
  }

  /** Prints plain JSON without colours, for programs. */
  override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  }

  /** Prints a note for people on stderr; silent under `--json`. */
  protected note(text: string): void {
    if (!this.jsonEnabled()) process.stderr.write(`${text}\n`);
  }

  /** Prints a warning on stderr. */
  protected warning(text: string): void {
    this.note(`${pc.yellow('warning:')} ${printable(text)}`);
  }

  /** Handles Ctrl-C and SIGTERM; `serve` overrides it. */
  protected onSignals(): void {
    endOnSignals();
  }

  /** Loads the configuration, with the flags of this command applied. */
  protected async settings(
    flags: { config?: string | undefined },
    changes: Record<string, unknown> = {},
    options: Pick<LoadOptions, 'strict'> = {},
  ): Promise<LoadedConfig> {
    const { loadConfig } = await import('../config/load.ts');
    const loaded = loadConfig({ ...options, flags: changes, ...withoutUndefined({ configFile: flags.config }) });
    for (const warning of loaded.warnings) this.warning(warning);
    return loaded;
  }

  private flagGiven(flag: string): boolean {
    const end = this.argv.indexOf('--');
    return this.argv.slice(0, end === -1 ? this.argv.length : end).includes(flag);
  }
}
