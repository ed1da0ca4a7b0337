import { Flags } from '@oclif/core';
import type { FileOutcome, SetupOutcome } from '../../integrations/setup.ts';
import { SCOPES, type Purpose, type Scope, type Setting, type TargetName } from '../../integrations/target.ts';
import type { UserFolders } from '../../integrations/user-folders.ts';
import { LoreError } from '../../memory/errors.ts';
import { BaseCommand } from '../base-command.ts';
import { formatSetup, reported, targetFlag, type Reported } from '../print/integrations.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Clients whose agent can be asked at the end of a turn. */
const ASKED: ReadonlySet<TargetName> = new Set(['claude', 'codex']);

interface Chosen {
  readonly assist: boolean | undefined;
  readonly config: string | undefined;
  readonly 'no-hooks': boolean;
}

interface SetUp {
  readonly dryRun: boolean;
  /** `capture.assist`, if it was set now. */
  readonly assist?: boolean;
  /** Edits that the user must make by hand. */
  readonly printed?: string;
  readonly targets: readonly (Omit<SetupOutcome, 'files'> & { readonly files: readonly Reported<FileOutcome>[] })[];
}

export default class Setup extends BaseCommand {
  static override summary = 'Connect a coding agent: Claude Code, Cursor, Codex, VS Code and others.';
  static override description =
    'Adds the MCP server, hooks and a short instruction to the files of a client, and preserves everything else in them. Running it again changes ' +
    'nothing; `lore teardown` undoes it. It changes all files or none: a file that cannot be parsed is refused (exit code 5) with the text to add by hand. ' +
    'It asks once whether Lore may ask agents to save (`capture.assist`); the default is no. ' +
    'With --plugin it writes a plugin with a skill instead, and does not change the files of the client.';
  static override examples = [
    '<%= config.bin %> setup',
    '<%= config.bin %> setup --target cursor --target vscode --dry-run',
    '<%= config.bin %> setup --target claude --scope project --no-hooks',
    '<%= config.bin %> setup --all',
    '<%= config.bin %> setup --target claude --plugin',
    '<%= config.bin %> setup --print',
  ];
  static override flags = {
    target: targetFlag('Client to set up; repeatable (default claude).'),
    all: Flags.boolean({ char: 'a', description: 'Set up every client found on this machine.' }),
    scope: Flags.option({ options: SCOPES })({
      default: 'user',
      description: 'For all your projects, or only for the project of this folder.',
    }),
    plugin: Flags.boolean({ description: 'Write a plugin instead of files: for claude, codex and cursor.' }),
    print: Flags.boolean({
      description: 'Only print the text to add by hand, and where: for the clients of --target, or for any other client.',
      exclusive: ['plugin', 'all'],
    }),
    'no-hooks': Flags.boolean({ description: 'Leave out the hooks, which capture and recall automatically.' }),
    assist: Flags.boolean({
      allowNo: true,
      description: 'Ask Claude Code and Codex once per session to save decisions and fixes (off by default).',
    }),
    'no-instructions': Flags.boolean({ description: 'Leave out the instruction for the assistant.' }),
    'dry-run': Flags.boolean({ description: 'Only show what would change.' }),
    force: Flags.boolean({ description: 'Replace parts changed by hand, and entries named lore that Lore did not write.' }),
  };

  async run(): Promise<SetUp> {
    const { flags } = await this.parse(Setup);
    const dryRun = flags['dry-run'];
    const [{ setUp }, { userFolders }, { thisLauncher }] = await Promise.all([
      import('../../integrations/setup.ts'),
      import('../../integrations/user-folders.ts'),
      import('../../integrations/launcher.ts'),
    ]);
    const places = userFolders();
    const without = new Set<Purpose>();
    if (flags['no-hooks']) without.add('hooks');
    if (flags['no-instructions']) without.add('instructions');
    const scope: Scope = flags.scope;
    if (flags.print)
      return { dryRun: true, targets: [], printed: await this.#print(flags.target, { scope, places, launcher: thisLauncher() }) };
    const names = await chosen(flags, places);
    const { force, plugin } = flags;
    const targets = await setUp({ targets: names, scope, plugin, places, launcher: thisLauncher(), without, force, dryRun });
    this.log(formatSetup(targets, { dryRun }));
    const assist = dryRun ? undefined : await this.#assist(flags, names);
    for (const warning of targets.flatMap(({ warnings }) => warnings)) this.note(`note: ${warning}`);
    const done = targets.map((target) => ({ ...target, files: reported(target.files, { dryRun }) }));
    return { dryRun, ...withoutUndefined({ assist }), targets: done };
  }

  /** Whether to ask agents to save, if a flag or an answer decided it. */
  async #assist({ assist, config, 'no-hooks': noHooks }: Chosen, names: readonly TargetName[]): Promise<boolean | undefined> {
    const { askForAssist, setAssist } = await import('../settings/assist.ts');
    const isOffered = !noHooks && !this.jsonEnabled() && names.some((name) => ASKED.has(name));
    const wanted = assist ?? (isOffered ? await askForAssist(config) : undefined);
    const file = wanted === undefined ? undefined : await setAssist(wanted, config);
    if (file !== undefined) this.log(`Set capture.assist in ${file}: ${wanted}.`);
    return wanted;
  }

  async #print(names: readonly TargetName[] | undefined, setting: Setting): Promise<string> {
    const { manualSetupFor, manualSetupForAnyClient } = await import('../../integrations/manual-setup.ts');
    const text =
      names === undefined ? manualSetupForAnyClient(setting.launcher, setting.places.platform) : await manualSetupFor(names, setting);
    this.log(text);
    return text;
  }
}

async function chosen({ target, all }: { target?: TargetName[] | undefined; all: boolean }, places: UserFolders): Promise<TargetName[]> {
  if (!all) return [...new Set(target ?? ['claude' as const])];
  const { clientsHere } = await import('../../integrations/setup.ts');
  const found = await clientsHere(places);
  if (found.length > 0) return found;
  throw new LoreError('filesystem', 'No supported client was found on this machine.', {
    hint: 'Choose one with --target.',
  });
}
