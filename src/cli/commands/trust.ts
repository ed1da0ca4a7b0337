import { basename, dirname, resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { findProjectFile, PROJECT_FILE, projectFileIn, type ProjectFile } from '../../config/project-file.ts';
import { revokeTrust, trustedFiles, trustFile, type TrustedFile } from '../../config/project-trust.ts';
import { LoreError } from '../../memory/errors.ts';
import { BaseCommand } from '../base-command.ts';
import { UsageError } from '../failure.ts';
import { printable, table } from '../print/output.ts';

/** A key that only a trusted file may set. */
interface TrustedKey {
  readonly key: string;
  /** As JSON; secrets are masked. */
  readonly value: string;
}

type Outcome =
  | { readonly file: string; readonly trusted: boolean; readonly keys: readonly TrustedKey[] }
  | { readonly file: string; readonly revoked: boolean }
  | { readonly files: readonly TrustedFile[] };

export default class Trust extends BaseCommand {
  static override summary = 'Trust the lore.config.json of a project.';
  static override description =
    'A file from a repository could send your memories elsewhere. From an untrusted project file, Lore applies only memory.namespace, the search and index settings of the project, and capture.enabled false. ' +
    'Read the file first. A changed file must be trusted again. A file named by --config or SERVICE_CONFIG needs no trust.';
  static override examples = [
    '<%= config.bin %> trust',
    '<%= config.bin %> trust --list',
    '<%= config.bin %> trust --revoke',
    '<%= config.bin %> trust --revoke ~/projects/old',
  ];
  static override args = {
    path: Args.string({ ignoreStdin: true, default: '.', description: 'Folder of the project, or its lore.config.json.' }),
  };
  static override flags = {
    list: Flags.boolean({ description: 'List trusted files.', exclusive: ['revoke'] }),
    revoke: Flags.boolean({ description: 'Revoke the trust in the file.' }),
  };

  async run(): Promise<Outcome> {
    const { args, flags } = await this.parse(Trust);
    if (flags.config !== undefined)
      throw new UsageError('A file that --config names is always trusted.', 'Run `lore trust` without --config.');
    const { userDirectories } = await import('../../config/directories.ts');
    const { data } = userDirectories();
    if (flags.list) return this.#list(trustedFiles(data));
    return flags.revoke ? this.#revoke(args.path, data) : await this.#trust(args.path, data);
  }

  #list(files: readonly TrustedFile[]): Outcome {
    if (files.length === 0) this.log('No file is trusted.');
    else {
      const rows = files.map(({ path, state }) => [path, state]);
      this.log(table([{ title: 'FILE', shrinkTo: 20 }, { title: 'STATE' }], rows));
    }
    return { files };
  }

  #revoke(path: string, data: string): Outcome {
    // Also for a deleted file or folder.
    const file = projectFileAt(path)?.path ?? resolve(path, basename(path) === PROJECT_FILE ? '.' : PROJECT_FILE);
    const revoked = revokeTrust(file, data);
    if (!revoked) throw new LoreError('not_found', `${file} is not trusted.`, { hint: '`lore trust --list` lists the trusted files.' });
    this.log(printable(`No longer trusted: ${file}`));
    return { file, revoked };
  }

  async #trust(path: string, data: string): Promise<Outcome> {
    const file = projectFileAt(path);
    if (file === undefined) throw noFile(path);
    const { keys, text } = await keysToTrust(file);
    if (keys.length === 0) {
      this.log(printable(`Nothing to trust: ${file.path} has only settings that need no trust.`));
      return { file: file.path, trusted: false, keys };
    }
    trustFile({ path: file.path, text }, data);
    this.log(printable(`Trusted ${file.path}. It now also sets:`));
    for (const { key, value } of keys) this.log(`  ${key} = ${printable(value)}`);
    this.note('When the file changes, run `lore trust` again. `lore trust --revoke` revokes it.');
    return { file: file.path, trusted: true, keys };
  }
}

function noFile(path: string): LoreError {
  const where =
    basename(path) === PROJECT_FILE
      ? `There is no file ${resolve(path)}.`
      : `There is no ${PROJECT_FILE} in ${resolve(path)} or a folder above it.`;
  return new LoreError('not_found', where, { hint: 'Name the folder of the project, or create a file with `lore init`.' });
}

/** The given file, or the nearest project file from a folder upward. */
function projectFileAt(path: string): ProjectFile | undefined {
  return basename(path) === PROJECT_FILE ? projectFileIn(dirname(resolve(path))) : findProjectFile(path);
}

/** The settings that the file will apply once it is trusted. Rejects with `config` if they would make every command fail. */
async function keysToTrust(file: ProjectFile): Promise<{ readonly keys: readonly TrustedKey[]; readonly text: string }> {
  const [{ interpretProjectFile }, { configError, shownValue }, { loadConfig }, { splitUntrusted }, { MIGRATIONS }] = await Promise.all([
    import('../../config/files.ts'),
    import('../../config/faults.ts'),
    import('../../config/load.ts'),
    import('../../config/untrusted.ts'),
    import('../../config/migrations.ts'),
  ]);
  const read = interpretProjectFile(file, true, MIGRATIONS);
  if (file.text === undefined) throw configError(read.faults);
  // Loads the file as trusted, to find every error it would cause.
  loadConfig({ cwd: dirname(file.path), configFile: file.path });
  const { rest } = splitUntrusted(read);
  const keys = read.entries
    .filter(({ key }) => rest.keys.includes(key.path))
    .map(({ key, value }) => ({ key: key.path, value: shownValue(value, key.meta.secret === true) }));
  return { keys, text: file.text };
}
