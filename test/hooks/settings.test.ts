import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userDirectories } from '../../src/config/directories.ts';
import { loadConfig } from '../../src/config/load.ts';
import { trustFile } from '../../src/config/project-trust.ts';
import { hookSettings } from '../../src/hooks/settings.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const VARIABLES = ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'] as const;

const PROJECT_FILES = [
  ['a project file with comments', '\uFEFF{ // mine\n "storage": { "path": "./here" }, "memory": { "namespace": "a/b", }, }'],
  ['one that asks for capture', '{"capture":{"enabled":true},"memory":{"redactSecrets":"never"}}'],
  ['one that asks for no capture', '{"capture":{"enabled":false}}'],
  ['one with a prototype', '{"__proto__":{"storage":{"path":"/evil"},"capture":{"enabled":false}}, /* for the reader of comments */ }'],
] as const;

// A hook reads the configuration in its own, faster way: it must come to what `loadConfig` comes to.
describe('the settings of a hook equal those of the configuration', () => {
  const before = new Map(VARIABLES.map((name) => [name, process.env[name]]));
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
    for (const name of VARIABLES) delete process.env[name];
    process.env['XDG_CONFIG_HOME'] = path.join(folder.path, 'config');
    process.env['XDG_DATA_HOME'] = path.join(folder.path, 'data');
    process.env['HOME'] = folder.path;
  });
  afterEach(async () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await folder[Symbol.asyncDispose]();
  });

  interface Case {
    readonly project?: string;
    /** Whether the user trusts the project file. */
    readonly trusted?: boolean;
    readonly user?: string;
    readonly named?: string;
    readonly env?: Record<string, string>;
  }
  it.each<[string, Case]>([
    ['with nothing set', {}],
    ...[true, false].flatMap((trusted) =>
      PROJECT_FILES.map(([what, project]): [string, Case] => [
        `of ${what} that is ${trusted ? 'trusted' : 'not trusted'}`,
        { project, trusted, user: '{"storage":{"path":"/user"},"capture":{"enabled":false}}' },
      ]),
    ),
    ['of the user file', { user: '{"storage":{"path":"~/there"},"capture":{"enabled":false},"memory":{"redactSecrets":"never"}}' }],
    [
      'of both, key by key',
      { project: '{"memory":{"namespace":"p"}}', user: '{"memory":{"namespace":"u","redactSecrets":"never"},"storage":{"path":"/abs"}}' },
    ],
    [
      'of variables before files',
      {
        project: '{"storage":{"path":"/file"}}',
        trusted: true,
        env: { SERVICE_STORAGE_PATH: 'from/env', SERVICE_CAPTURE_ENABLED: 'false' },
      },
    ],
    ['of empty variables', { project: '{"storage":{"path":"/file"}}', trusted: true, env: { SERVICE_STORAGE_PATH: '' } }],
    ['of a file that is named', { project: '{"storage":{"path":"/project"}}', named: '{"storage":{"path":"named"}}' }],
    ['of a file that a variable names', { named: '{"memory":{"namespace":"named"}}', env: { SERVICE_CONFIG: 'named.json' } }],
    ['of an object store', { env: { SERVICE_STORAGE_PATH: 's3://bucket/store' } }],
  ])('%s', async (_what, { project, trusted, user, named, env = {} }) => {
    const cwd = path.join(folder.path, 'work', 'deep');
    await mkdir(cwd, { recursive: true });
    await mkdir(userDirectories().config, { recursive: true });
    const projectFile = path.join(folder.path, 'work', 'lore.config.json');
    if (project !== undefined) await writeFile(projectFile, project);
    if (project !== undefined && trusted === true) trustFile({ path: projectFile, text: project }, userDirectories().data);
    if (user !== undefined) await writeFile(path.join(userDirectories().config, 'config.json'), user);
    if (named !== undefined) await writeFile(path.join(cwd, 'named.json'), named);
    const configFile = named !== undefined && env['SERVICE_CONFIG'] === undefined ? 'named.json' : undefined;
    const { config } = loadConfig({ cwd, env, ...(configFile !== undefined && { configFile }) });
    expect(await hookSettings({ cwd, env, configFile })).toEqual({
      enabled: config.capture.enabled,
      assist: config.capture.assist,
      storagePath: config.storage.path,
      namespace: config.memory.namespace,
      redacts: config.memory.redactSecrets !== 'never',
    });
  });

  it('as far as they can be read', async () => {
    const cwd = path.join(folder.path, 'work');
    await mkdir(cwd);
    await writeFile(path.join(cwd, 'lore.config.json'), '{"memory": {"namespace": 5}, "storage": [');
    expect(await hookSettings({ cwd, env: {}, configFile: undefined })).toEqual({
      enabled: true,
      assist: false,
      storagePath: path.join(userDirectories().data, 'store'),
      namespace: undefined,
      redacts: true,
    });
  });
});
