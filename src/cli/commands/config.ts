import { Flags } from '@oclif/core';
import type { ConfigValue, LoadedConfig, UntrustedFile } from '../../config/load.ts';
import { BaseCommand } from '../base-command.ts';
import { facts, table } from '../print/output.ts';
import { notAppliedText } from '../checks/untrusted-file.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

interface Shown {
  readonly namespace: { readonly namespace: string; readonly why: string };
  /** Configuration files, highest priority first. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  /** Settings of the project file that are not applied; absent if there are none. */
  readonly untrusted?: UntrustedFile;
  /** Secrets are masked. */
  readonly values: readonly ConfigValue[];
}

export default class ConfigCommand extends BaseCommand {
  static override summary = 'Show every setting, its value and its source.';
  static override description =
    'Order of precedence: flags, environment variables, lore.config.json of this folder or one above it, your own config.json, defaults. Secrets are masked. Only some keys of an untrusted lore.config.json apply (`lore trust`). Exits with 3 if there is an error. Errors in an untrusted file and unknown SERVICE_ variables count only with --validate.';
  static override examples = [
    '<%= config.bin %> config',
    '<%= config.bin %> config --validate',
    '<%= config.bin %> config --sources',
    '<%= config.bin %> config --json | jq -r \'.values[] | select(.source != "default") | .key\'',
  ];
  static override flags = {
    validate: Flags.boolean({ description: 'Only check the configuration.' }),
    sources: Flags.boolean({ description: 'Only show settings that differ from the defaults, with the file or variable of each.' }),
  };

  async run(): Promise<Shown | { valid: true; files: readonly string[] }> {
    const { flags } = await this.parse(ConfigCommand);
    const loaded = await this.settings(flags, {}, { strict: flags.validate });
    if (flags.validate) {
      this.log(`The configuration is valid.${loaded.files.length === 0 ? '' : ` Read: ${loaded.files.join(', ')}`}`);
      return { valid: true, files: loaded.files };
    }
    const shown = await describe(loaded);
    this.log(flags.sources ? formatSources(shown) : formatAll(shown));
    return shown;
  }
}

async function describe(loaded: LoadedConfig): Promise<Shown> {
  const [{ maskedValues }, { detectNamespace }] = await Promise.all([import('../../config/load.ts'), import('../../config/namespace.ts')]);
  const namespace = await detectNamespace({ cwd: process.cwd(), configured: loaded.config.memory.namespace });
  const { files, warnings, untrusted } = loaded;
  return { namespace, files, warnings, ...withoutUndefined({ untrusted }), values: maskedValues(loaded) };
}

function heading({ namespace, files, untrusted }: Shown): string {
  return facts([
    ['Namespace', `${namespace.namespace} (${namespace.why})`],
    ['Files', files.length === 0 ? 'none' : files.join(', ')],
    ['Not applied', untrusted && notAppliedText(untrusted)],
  ]);
}

function formatAll(shown: Shown): string {
  const columns = [{ title: 'KEY' }, { title: 'VALUE', shrinkTo: 10 }, { title: 'SOURCE' }];
  return `${heading(shown)}\n\n${table(
    columns,
    shown.values.map((value) => [value.key, valueText(value), value.source]),
  )}`;
}

function formatSources(shown: Shown): string {
  const changed = shown.values.filter(({ source }) => source !== 'default');
  if (changed.length === 0) return `${heading(shown)}\n\nEvery setting has its default.`;
  const columns = [{ title: 'KEY' }, { title: 'VALUE', shrinkTo: 10 }, { title: 'FROM', shrinkTo: 10 }];
  return `${heading(shown)}\n\n${table(
    columns,
    changed.map((value) => [value.key, valueText(value), value.from ?? value.source]),
  )}`;
}

function valueText({ value }: ConfigValue): string {
  if (value === undefined) return '(not set)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
