import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hookIn } from '../../src/integrations/launcher.ts';
import { marketplaceFile, ON_PATH, PLUGIN_CLIENTS, pluginFiles, type PluginClient } from '../../src/integrations/plugin.ts';
import { skillText } from '../../src/integrations/skill.ts';
import { failureOf } from '../helpers/failure.ts';
import { clientHome, LAUNCHER, MOVED } from './client-home.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const making = { launcher: ON_PATH, platform: 'linux' } as const;
/** As clients get them from the repository: `npm run generate` writes them. */
const committed = PLUGIN_CLIENTS.flatMap((client) => [
  { client, ...marketplaceFile(client, `plugins/${client}`) },
  ...pluginFiles(client, making).map(({ path, text }) => ({ client, path: `plugins/${client}/${path}`, text })),
]);

it.each([...committed, { path: '.agents/skills/lore/SKILL.md', text: skillText() }])('$path is up to date', async ({ path, text }) => {
  await expect(text).toMatchFileSnapshot(join(ROOT, path));
});

const author = z.strictObject({ name: z.string().min(1), email: z.string().optional(), url: z.string().optional() });
const metadata = {
  name: z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  description: z.string(),
  author,
  license: z.string(),
  keywords: z.array(z.string()),
};
const within = z.string().regex(/^\.\/(?!.*\.\.)/);
const entry = { name: z.string().min(1), description: z.string().optional() };
/** What the published schemas demand of the members that Lore writes; Cursor's allows no others, and Codex has none but its documentation. */
const SCHEMAS: Readonly<Record<PluginClient, { readonly manifest: z.ZodType; readonly marketplace: z.ZodType }>> = {
  // schemastore.org: claude-code-plugin-manifest.json, claude-code-marketplace.json
  claude: {
    manifest: z.strictObject(metadata),
    marketplace: z.strictObject({
      name: z.string().min(1),
      owner: author,
      description: z.string(),
      plugins: z.array(z.strictObject({ ...entry, source: within })),
    }),
  },
  // developers.openai.com/codex/plugins/build
  codex: {
    manifest: z.strictObject({
      ...metadata,
      skills: within,
      mcpServers: within,
      hooks: within,
      interface: z.strictObject({ displayName: z.string(), shortDescription: z.string(), developerName: z.string(), category: z.string() }),
    }),
    marketplace: z.strictObject({
      name: z.string(),
      interface: z.strictObject({ displayName: z.string() }),
      plugins: z.array(
        z.strictObject({
          ...entry,
          source: z.strictObject({ source: z.literal('local'), path: within }),
          policy: z.strictObject({
            installation: z.enum(['AVAILABLE', 'INSTALLED_BY_DEFAULT', 'NOT_AVAILABLE']),
            authentication: z.enum(['ON_INSTALL', 'ON_USE']),
          }),
          category: z.string(),
        }),
      ),
    }),
  },
  // github.com/cursor/plugins, schemas/plugin.schema.json and marketplace.schema.json
  cursor: {
    manifest: z.strictObject({ ...metadata, displayName: z.string(), skills: within, rules: within, hooks: within, mcpServers: within }),
    marketplace: z.strictObject({
      name: z.string(),
      owner: z.strictObject({ name: z.string() }),
      metadata: z.strictObject({ description: z.string() }),
      plugins: z.array(z.strictObject({ ...entry, source: z.string() })),
    }),
  },
};

describe.each(PLUGIN_CLIENTS)('the plugin for %s', (client) => {
  const files = new Map(pluginFiles(client, making).map(({ path, text }) => [path, text]));

  it('matches the published schemas, and names only existing files', () => {
    const manifest = SCHEMAS[client].manifest.parse(JSON.parse(files.get(`.${client}-plugin/plugin.json`)!)) as Record<string, unknown>;
    SCHEMAS[client].marketplace.parse(JSON.parse(marketplaceFile(client, 'lore').text));
    const named = Object.values(manifest).filter((value) => typeof value === 'string' && value.startsWith('./')) as string[];
    for (const path of named)
      expect(
        [...files.keys()].some((file) => `./${file}`.startsWith(path)),
        path,
      ).toBe(true);
  });

  it('contains the hooks, server and instructions that setup writes', async () => {
    await using home = await clientHome({ target: client, launcher: ON_PATH });
    const parts = (await home.files()).flatMap((file) => file.parts);
    const { hooks } = JSON.parse(files.get('hooks/hooks.json')!) as { hooks: Record<string, [unknown]> };
    const wanted = parts.flatMap((part) => (part.kind === 'hook' ? [[part.event, [part.value]]] : []));
    expect(hooks).toEqual(Object.fromEntries(wanted));
    expect(hookIn((JSON.stringify(hooks).match(/lore hook \w+ --client \w+/) ?? [''])[0])?.client).toBe(client);
    const servers = JSON.parse(files.get(client === 'cursor' ? 'mcp.json' : '.mcp.json')!) as object;
    expect(servers).toEqual({ mcpServers: { lore: { command: 'lore', args: ['mcp'] } } });
    expect(files.get('skills/lore/SKILL.md')).toMatch(/^---\nname: lore\ndescription: "[^\n]{80,1024}"\n---\n/);
  });

  it('is written by setup with the paths of this machine, and removed byte for byte', async () => {
    await using home = await clientHome({ target: client });
    const before = await home.snapshot();
    const { files: written, notes } = await home.setUp({ plugin: true });
    expect(written.every(({ purpose, action }) => purpose === 'plugin' && action === 'create')).toBe(true);
    expect(await readFile(written.find(({ path }) => path.endsWith('hooks.json'))!.path, 'utf8')).toContain(LAUNCHER.bin);
    expect(notes.length).toBeGreaterThan(0);
    expect(await home.state()).toBe('installed');
    for (const plugin of [true, false]) {
      expect((await home.setUp({ plugin })).files.every(({ action, purpose }) => action === 'keep' && purpose === 'plugin')).toBe(true);
    }
    expect(await home.state(MOVED)).toBe('outdated');
    await home.setUp({ launcher: MOVED });
    expect(await home.state(MOVED)).toBe('installed');
    await home.tearDown();
    expect(await home.state()).toBe('absent');
    expect(await home.snapshot()).toEqual(before);
    await expect(readFile(written[0]!.path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it('is refused next to files of the same client, in a project, and for a client without plugins', async () => {
  await using home = await clientHome({ target: 'claude' });
  expect(await failureOf(home.setUp({ targets: ['zed'], plugin: true }))).toMatchObject({ code: 'invalid_input' });
  expect(await failureOf(home.setUp({ scope: 'project', plugin: true }))).toMatchObject({ code: 'invalid_input' });
  await home.setUp();
  expect(await failureOf(home.setUp({ plugin: true }))).toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining('lore teardown'),
  });
});
