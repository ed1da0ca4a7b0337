import { Flags } from '@oclif/core';
import { access } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { userDirectories } from '../../config/directories.ts';
import { USER_FILE } from '../../config/files.ts';
import { isOrigin } from '../../config/formats.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { PROJECT_FILE } from '../../config/project-file.ts';
import { Namespace } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { BaseCommand } from '../base-command.ts';
import { writeFileAtomically } from '../file-output.ts';
import { changingKeys } from '../settings/key-change.ts';
import { openKeys } from '../settings/keys-file.ts';
import { ask, canAsk, confirm } from '../prompt.ts';
import { projectFile } from '../settings/project-file.ts';
import { setUserSetting } from '../settings/user-settings.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

interface InitAnswers {
  readonly namespace: string;
  readonly origins: readonly string[];
  readonly makeKey: boolean;
}

interface Initialised {
  readonly file: string;
  readonly namespace: string;
  /** Web pages that may use the API of this user's servers: `server.cors.origins` of `userFile`. */
  readonly origins: readonly string[];
  readonly userFile: string;
  /** The new API key, if requested; shown only once. */
  readonly key?: string;
}

const DEFAULT_PORT = 7007;

export default class Init extends BaseCommand {
  static override summary = 'Create a commented lore.config.json in this folder.';
  static override description =
    'Asks for the namespace, an API key and the origins whose pages may use the API; without a terminal, or with --yes, it uses flags and defaults. Never overwrites a file without --force. ' +
    'The origins go into your own config.json, because a project file may not decide who reads your memories; existing origins stay.';
  static override examples = ['<%= config.bin %> init', '<%= config.bin %> init --yes --origin https://notes.example.com --key'];
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace of this project; detected by default.' }),
    origin: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Origin whose pages may use the API; repeatable (default: the addresses of this machine; * allows any).',
    }),
    key: Flags.boolean({ description: 'Create an API key, which every request then needs.' }),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask; use flags and defaults.' }),
    force: Flags.boolean({ description: 'Replace an existing file.' }),
  };

  async run(): Promise<Initialised> {
    const { flags } = await this.parse(Init);
    const file = resolve(PROJECT_FILE);
    if (!flags.force) await refuseExisting(file);
    const { detectNamespace } = await import('../../config/namespace.ts');
    const detected = await detectNamespace({ cwd: process.cwd() });
    const current = await currentSettings(flags.config);
    const origins = flags.origin ?? current.origins ?? loopbackOrigins(current.port);
    const defaults = { namespace: flags.namespace ?? detected.namespace, origins, makeKey: flags.key };
    checkAnswers(defaults);
    const answers = flags.yes || !canAsk() || this.jsonEnabled() ? defaults : await askFor(defaults, current.port);
    checkAnswers(answers);
    const userFile = join(userDirectories().config, USER_FILE);
    const areNew = JSON.stringify(answers.origins) !== JSON.stringify(current.origins);
    if (areNew) await setUserSetting(userFile, ['server', 'cors', 'origins'], answers.origins);
    await writeFileAtomically(file, projectFile(answers));
    this.log(`Wrote ${relative(process.cwd(), file)} (namespace ${answers.namespace}).`);
    if (areNew) this.log(`Set server.cors.origins in ${userFile}: ${answers.origins.join(', ') || 'none'}.`);
    const key = answers.makeKey ? await this.newKey(flags.config) : undefined;
    return { file, namespace: answers.namespace, origins: answers.origins, userFile, ...withoutUndefined({ key }) };
  }

  private async newKey(configFile: string | undefined): Promise<string> {
    const keys = await openKeys();
    const { key } = await changingKeys('keys.generate', {
      work: () => keys.generate({}),
      recordOf: (made) => made,
      configFile,
      warn: (problem) => this.warning(problem),
    });
    this.log(`API key: ${key}`);
    this.note('Keep the key now: it is not shown again. From now on every request to your server needs a key.');
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

function checkAnswers({ namespace, origins }: InitAnswers): void {
  const parsed = Namespace.safeParse(namespace);
  if (!parsed.success) throw new LoreError('invalid_input', `--namespace ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  const bad = origins.find((origin) => !isOrigin(origin));
  if (bad === undefined) return;
  throw new LoreError('invalid_input', `--origin ${JSON.stringify(bad)} is not an origin.`, {
    hint: 'Write * or scheme, host and port, as in https://notes.example.com.',
  });
}

interface CurrentSettings {
  readonly port: number;
  /** Origins chosen earlier by the user; undefined if there are none, or for `*`. */
  readonly origins?: readonly string[];
}

/** The relevant configuration. If the existing file is invalid, a new one can still be written. */
async function currentSettings(configFile: string | undefined): Promise<CurrentSettings> {
  const { loadConfig } = await import('../../config/load.ts');
  let loaded: LoadedConfig;
  try {
    loaded = loadConfig(configFile === undefined ? {} : { configFile });
  } catch {
    return { port: DEFAULT_PORT };
  }
  const { port, cors } = loaded.config.server;
  const isOwn = loaded.values.some(({ key, source }) => key === 'server.cors.origins' && source === 'user file');
  return { port, ...(isOwn && !cors.origins.includes('*') && { origins: cors.origins }) };
}

/** Origins of pages on this machine at the port of Lore. With any free port, they are unknown and need no entry. */
function loopbackOrigins(port: number): string[] {
  return port === 0 ? [] : ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}:${port}`);
}

async function askFor(defaults: InitAnswers, port: number): Promise<InitAnswers> {
  const namespace = await ask(`Namespace of this project [${defaults.namespace}] `, defaults.namespace);
  const makeKey = await confirm('Create an API key, which every request then needs?', defaults.makeKey);
  const any = await confirm('May any web page in your browser use the API?', defaults.origins.includes('*'));
  if (any) return { namespace, makeKey, origins: ['*'] };
  const named = (defaults.origins.includes('*') ? loopbackOrigins(port) : defaults.origins).join(', ');
  const origins = await ask(`Allowed origins, separated by commas [${named}] `, named);
  return {
    namespace,
    makeKey,
    origins: origins
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  };
}
