import { lstat, mkdir, readdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Launcher } from '../../src/integrations/launcher.ts';
import type { UserFolders } from '../../src/integrations/user-folders.ts';
import { setUp, type SetupOutcome, type SetupRequest } from '../../src/integrations/setup.ts';
import { targetStates, type TargetState, type TargetStatus } from '../../src/integrations/target-states.ts';
import type { Scope, TargetFile, TargetName } from '../../src/integrations/target.ts';
import { TARGETS } from '../../src/integrations/targets.ts';
import { tearDown, type TeardownOutcome, type TeardownRequest } from '../../src/integrations/teardown.ts';
import { temporaryFolder } from '../helpers/folder.ts';

export const LAUNCHER: Launcher = { node: '/opt/node/bin/node', bin: '/opt/lore/bin/run.js' };
export const MOVED: Launcher = { node: '/opt/node/bin/node', bin: '/srv/lore 2/bin/run.js' };

/** A home and a project of their own, with the commands as a person would run them in that project. */
export interface ClientHome extends AsyncDisposable {
  readonly places: UserFolders;
  readonly target: TargetName;
  readonly scope: Scope;
  /** Everything in the home and the project: paths, kinds, permissions, bytes. Our own folder is not among it. */
  snapshot(): Promise<Record<string, string>>;
  files(): Promise<readonly TargetFile[]>;
  setUp(changes?: Partial<SetupRequest>): Promise<SetupOutcome>;
  tearDown(changes?: Partial<TeardownRequest>): Promise<TeardownOutcome>;
  state(launcher?: Launcher): Promise<TargetState>;
  status(launcher?: Launcher): Promise<TargetStatus>;
  write(path: string, text: string): Promise<void>;
}

export interface ClientHomeOptions {
  readonly target: TargetName;
  readonly scope?: Scope;
  /** Name of the folder above home and project. */
  readonly below?: string;
  readonly launcher?: Launcher;
  readonly env?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
}

export async function clientHome(options: ClientHomeOptions): Promise<ClientHome> {
  const { target, scope = 'user', below = 'top', launcher = LAUNCHER, env = {}, platform = 'linux' } = options;
  const folder = await temporaryFolder();
  const top = join(await realpath(folder.path), below);
  const places: UserFolders = { home: join(top, 'home'), project: join(top, 'project'), data: join(top, 'data'), platform, env };
  await Promise.all([mkdir(places.home, { recursive: true }), mkdir(places.project, { recursive: true })]);
  const common = { places, launcher, force: false, dryRun: false };
  const status = async (used = launcher): Promise<TargetStatus> => {
    const states = await targetStates({ places, launcher: used });
    return states.find((one) => one.target === target && one.scope === scope)!;
  };
  return {
    places,
    target,
    scope,
    snapshot: async () => ({ ...(await treeOf(places.home, 'home')), ...(await treeOf(places.project, 'project')) }),
    files: () => TARGETS[target].files({ scope, places, launcher }),
    setUp: async (changes = {}) => (await setUp({ ...common, targets: [target], scope, without: new Set(), ...changes }))[0]!,
    tearDown: (changes = {}) => tearDown({ ...common, targets: [target], scopes: [scope], everywhere: false, ...changes }),
    state: async (used) => (await status(used)).state,
    status,
    write: async (path, text) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function treeOf(folder: string, name: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    const found = await lstat(path);
    const mode = (found.mode & 0o777).toString(8);
    if (found.isSymbolicLink()) tree[`${name}/${entry}`] = `link ${await readlink(path)}`;
    else if (found.isDirectory()) Object.assign(tree, { [`${name}/${entry}`]: `folder ${mode}` }, await treeOf(path, `${name}/${entry}`));
    else tree[`${name}/${entry}`] = `file ${mode} ${await readFile(path, 'base64')}`;
  }
  return tree;
}

const JSON_TEXT = `// Mine, by hand.
{
    "$schema": "https://example.com/schema.json", // where it comes from
    "mcpServers": {
        "other": { "command": "other-server", "args": ["--port", "9"] } // keep
    },
    "servers": { "other": { "type": "stdio", "command": "other-server" } },
    "mcp": {
        /* the one */
        "other": { "type": "local", "command": ["other-server"] },
    },
    "version": 1,
    "hooks": {
        "SessionStart": [ { "hooks": [ { "type": "command", "command": "date" } ] } ],
        "sessionStart": [{ "command": "date" }],
        "pre_user_prompt": [
            // before ours
            { "command": "date" }
        ]
    }
}
`;

const TOML_TEXT = `# Mine, by hand.
model = "some-model" # keep

[mcp_servers.other]
command = "other-server"
`;

const MARKDOWN_TEXT = '# Rules\n\nSpeak plainly.';

/** What a user may have in a file of a client; nothing for a file that would be ours alone. */
export function existingText({ path, parts }: TargetFile): string | undefined {
  if (parts.some(({ kind }) => kind === 'whole')) return undefined;
  if (path.endsWith('.toml')) return TOML_TEXT;
  return path.endsWith('.md') ? MARKDOWN_TEXT : JSON_TEXT;
}
