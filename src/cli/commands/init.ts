import { Flags } from '@oclif/core';
import { access } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { PROJECT_FILE } from '../../config/files.ts';
import { isOrigin } from '../../config/formats.ts';
import { Namespace } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { BaseCommand } from '../base-command.ts';
import { writeWhole } from '../file-output.ts';
import { changingKeys } from '../key-change.ts';
import { keysFile } from '../keys-file.ts';
import { ask, canAsk, confirm } from '../prompt.ts';
import { projectFile } from '../project-file.ts';

interface Answers {
  readonly namespace: string;
  readonly origins: readonly string[];
  readonly makeKey: boolean;
}

interface Initialised {
  readonly file: string;
  readonly namespace: string;
  readonly origins: readonly string[];
  /** The new API key, where one was asked for; shown this once. */
  readonly key?: string;
}

const LOCAL_ORIGIN = 'http://127.0.0.1:7007';

export default class Init extends BaseCommand {
  static override summary = 'Write a commented lore.config.json for this folder.';
  static override description =
    'Asks for the namespace, an API key and the origins whose pages may use the API; without a terminal, or with --yes, flags and defaults decide. Never overwrites a file without --force.';
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init --yes --namespace owner/repo --origin https://notes.example.com --key',
  ];
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace of this project; detected by default.' }),
    origin: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Origin whose pages may use the API; repeat for several (default *, any).',
    }),
    key: Flags.boolean({ description: 'Make an API key, which every request then needs.' }),
    yes: Flags.boolean({ char: 'y', description: 'Ask nothing.' }),
    force: Flags.boolean({ description: 'Replace an existing file.' }),
  };

  async run(): Promise<Initialised> {
    const { flags } = await this.parse(Init);
    const file = resolve(PROJECT_FILE);
    if (!flags.force) await refuseExisting(file);
    const { detectNamespace } = await import('../../config/namespace.ts');
    const detected = await detectNamespace({ cwd: process.cwd() });
    const defaults = { namespace: flags.namespace ?? detected.namespace, origins: flags.origin ?? ['*'], makeKey: flags.key };
    checkAnswers(defaults);
    const answers = flags.yes || !canAsk() || this.jsonEnabled() ? defaults : await askFor(defaults);
    checkAnswers(answers);
    await writeWhole(file, projectFile(answers));
    this.log(`Wrote ${relative(process.cwd(), file)} (namespace ${answers.namespace}).`);
    const key = answers.makeKey ? await this.newKey(flags.config) : undefined;
    return { file, namespace: answers.namespace, origins: answers.origins, ...(key === undefined ? {} : { key }) };
  }

  private async newKey(configFile: string | undefined): Promise<string> {
    const { generateKey } = await import('../../config/api-keys.ts');
    const file = await keysFile();
    const { key } = await changingKeys('keys.generate', {
      work: () => generateKey({ file, access: 'full' }),
      recordOf: (made) => made.record,
      configFile,
      warn: (problem) => this.warning(problem),
    });
    this.log(`API key: ${key}`);
    this.note('Keep the key now: it is not shown again. From now on every request to a server of yours needs one.');
    return key;
  }
}

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (!exists) return;
  throw new LoreError('filesystem', `${PROJECT_FILE} exists already.`, { hint: 'Edit it, or replace it with --force.' });
}

function checkAnswers({ namespace, origins }: Answers): void {
  const parsed = Namespace.safeParse(namespace);
  if (!parsed.success) throw new LoreError('invalid_input', `--namespace ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  const bad = origins.find((origin) => !isOrigin(origin));
  if (bad === undefined) return;
  throw new LoreError('invalid_input', `--origin ${JSON.stringify(bad)} is not an origin.`, {
    hint: 'Write * or scheme, host and port, as in https://notes.example.com.',
  });
}

async function askFor(defaults: Answers): Promise<Answers> {
  const namespace = await ask(`Namespace of this project [${defaults.namespace}] `, defaults.namespace);
  const makeKey = await confirm('Make an API key, which every request then needs?', defaults.makeKey);
  const any = await confirm('May any web page in your browser use the API?', defaults.origins.includes('*'));
  if (any) return { namespace, makeKey, origins: ['*'] };
  const named = defaults.origins.includes('*') ? LOCAL_ORIGIN : defaults.origins.join(', ');
  const origins = await ask(`Origins that may, with commas between [${named}] `, named);
  return {
    namespace,
    makeKey,
    origins: origins
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  };
}
