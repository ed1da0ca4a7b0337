import { Flags } from '@oclif/core';
import { SCOPES, TARGET_NAMES } from '../../integrations/target.ts';
import type { UndoneFile } from '../../integrations/teardown.ts';
import { BaseCommand } from '../base-command.ts';
import { formatTeardown, reported, targetFlag, type Reported } from '../print/integrations.ts';

interface TornDown {
  readonly dryRun: boolean;
  readonly files: readonly Reported<UndoneFile>[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

export default class Teardown extends BaseCommand {
  static override summary = 'Undo `lore setup`.';
  static override description =
    'Restores each unchanged file byte for byte and removes what setup created. From a file that changed since, it removes only its own entries. ' +
    'If you changed an entry of Lore, it stays and is named, unless --force is given. Your memories stay.';
  static override examples = [
    '<%= config.bin %> teardown',
    '<%= config.bin %> teardown --target cursor --dry-run',
    '<%= config.bin %> teardown --all',
  ];
  static override flags = {
    target: targetFlag('Client to disconnect; repeatable (default claude).'),
    all: Flags.boolean({ char: 'a', description: 'Disconnect every client, in every project.' }),
    scope: Flags.option({ options: SCOPES })({
      description: 'Only the user files, or only those of this project (default both).',
      exclusive: ['all'],
    }),
    'dry-run': Flags.boolean({ description: 'Only show what would change.' }),
    force: Flags.boolean({ description: 'Also remove entries of Lore that were changed by hand.' }),
  };

  async run(): Promise<TornDown> {
    const { flags } = await this.parse(Teardown);
    const dryRun = flags['dry-run'];
    const [{ tearDown }, { userFolders }, { thisLauncher }] = await Promise.all([
      import('../../integrations/teardown.ts'),
      import('../../integrations/user-folders.ts'),
      import('../../integrations/launcher.ts'),
    ]);
    const outcome = await tearDown({
      targets: flags.all ? TARGET_NAMES : [...new Set(flags.target ?? ['claude' as const])],
      scopes: flags.scope === undefined ? SCOPES : [flags.scope],
      everywhere: flags.all,
      places: userFolders(),
      launcher: thisLauncher(),
      force: flags.force,
      dryRun,
    });
    this.log(formatTeardown(outcome, { dryRun }));
    for (const warning of outcome.warnings) this.note(`note: ${warning}`);
    return { dryRun, files: reported(outcome.files, { dryRun }), warnings: outcome.warnings, notes: outcome.notes };
  }
}
