import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { editorOf } from '../../src/integrations/part-editor.ts';
import { digest } from '../../src/integrations/atomic-files.ts';
import { readJournal, writeJournal, type InsertedPart } from '../../src/integrations/journal.ts';
import { clientsHere, setUp } from '../../src/integrations/setup.ts';
import type { TargetFile } from '../../src/integrations/target.ts';
import { failureOf } from '../helpers/failure.ts';
import { clientHome, LAUNCHER, MOVED, type ClientHome } from './client-home.ts';

const claudePaths = (home: string) => ({
  server: join(home, '.claude.json'),
  hooks: join(home, '.claude', 'settings.json'),
  rules: join(home, '.claude', 'CLAUDE.md'),
});

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}

it('keeps what the user added, and removes only our entries', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { server, hooks, rules } = claudePaths(home.places.home);
  await home.write(server, '{\n  "numStartups": 3\n}\n');
  await home.setUp();
  await edit(server, (text) => text.replace('"numStartups": 3', '"numStartups": 4, // counted\n  "theme": "dark"'));
  await edit(hooks, (text) => text.replace('"Stop": [', '"Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] },'));
  await edit(rules, (text) => `Be brief.\n\n${text}\nBe kind.\n`);
  const { files, warnings } = await home.tearDown();
  expect(warnings).toEqual([]);
  expect(files.map(({ action }) => action)).toEqual(['change', 'change', 'change']);
  expect(await readFile(server, 'utf8')).toBe('{\n  "numStartups": 4, // counted\n  "theme": "dark"\n}\n');
  expect(parse(await readFile(hooks, 'utf8'))).toEqual({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } });
  expect(await readFile(rules, 'utf8')).toBe('Be brief.\n\nBe kind.\n');
});

it('keeps a hook of the user in the same element', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { hooks } = claudePaths(home.places.home);
  await home.setUp();
  const theirs = { type: 'command', command: 'say hello' };
  await edit(hooks, (text) => {
    const settings = JSON.parse(text) as { hooks: { SessionStart: [{ hooks: object[] }] } };
    settings.hooks.SessionStart[0].hooks.push(theirs);
    return JSON.stringify(settings);
  });
  expect(await home.state()).toBe('installed');
  await home.tearDown();
  expect(JSON.parse(await readFile(hooks, 'utf8'))).toEqual({ hooks: { SessionStart: [{ hooks: [theirs] }] } });
});

it('leaves an entry that the user changed, reports it, and removes or replaces it with --force', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { server, rules } = claudePaths(home.places.home);
  const before = await home.snapshot();
  await home.setUp();
  await edit(server, (text) => text.replace('"mcp"', '"mcp", "--config", "mine.json"'));
  await edit(rules, (text) => text.replace('Before a task', 'Now and then'));
  expect(await home.state()).toBe('changed by hand');
  const again = await home.setUp();
  expect(again.warnings).toHaveLength(2);
  expect(again.files.map(({ action }) => action)).toEqual(['keep', 'keep', 'keep']);
  const { warnings, files } = await home.tearDown();
  expect(warnings.join('\n')).toMatch(/\.claude\.json: the MCP server was changed by hand[^]*CLAUDE\.md: the instruction was/);
  expect(files.map(({ action }) => action)).toEqual(['keep', 'remove', 'keep']);
  expect(await readFile(server, 'utf8')).toContain('mine.json');
  await home.setUp({ force: true });
  expect(await home.state()).toBe('installed');
  expect(await readFile(server, 'utf8')).not.toContain('mine.json');
  await edit(server, (text) => text.replace('"mcp"', '"mcp", "--verbose"'));
  await home.tearDown({ force: true });
  expect(await home.snapshot()).toEqual(before);
});

it('leaves a foreign entry named lore alone, and restores it after a forced setup', async () => {
  await using home = await clientHome({ target: 'cursor' });
  const path = join(home.places.home, '.cursor', 'mcp.json');
  await home.write(path, '{ "mcpServers": { "lore": { "command": "folklore" } } }\n');
  const before = await home.snapshot();
  expect(await failureOf(home.setUp())).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('--force') });
  expect(await home.snapshot()).toEqual(before);
  await home.setUp({ force: true });
  expect(await readFile(path, 'utf8')).not.toContain('folklore');
  await home.tearDown();
  expect(await home.snapshot()).toEqual(before);
});

it('replaces an entry of another installation of Lore', async () => {
  await using home = await clientHome({ target: 'cursor' });
  const path = join(home.places.home, '.cursor', 'mcp.json');
  await home.write(path, JSON.stringify({ mcpServers: { lore: { command: '/old/node', args: ['/old/lore/bin/run.js', 'mcp'] } } }));
  expect(await home.state()).toBe('outdated');
  await home.setUp();
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    mcpServers: { lore: { command: LAUNCHER.node, args: [LAUNCHER.bin, 'mcp'] } },
  });
});

it('starts over if the user restored or deleted the files', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { server, hooks, rules } = claudePaths(home.places.home);
  await home.setUp();
  await Promise.all([server, hooks, rules].map((path) => rm(path)));
  await home.write(server, '{ "mine": true }\n');
  expect(await home.state()).toBe('absent');
  const before = await home.snapshot();
  await home.setUp();
  await home.tearDown();
  const after = await home.snapshot();
  expect(after).toEqual(before);
});

it('keeps a block shared by two clients until the last is torn down', async () => {
  await using home = await clientHome({ target: 'codex', scope: 'project' });
  const rules = join(home.places.project, 'AGENTS.md');
  await home.write(rules, '# Rules\n');
  const before = await home.snapshot();
  await home.setUp();
  await home.setUp({ targets: ['opencode'] });
  expect((await readFile(rules, 'utf8')).match(/lore:start/g)).toHaveLength(1);
  await home.tearDown();
  expect(await readFile(rules, 'utf8')).toContain('lore:start');
  await home.tearDown({ targets: ['opencode'] });
  expect(await home.snapshot()).toEqual(before);
});

it('sets up several clients, or none on an error', async () => {
  await using home = await clientHome({ target: 'claude' });
  await home.write(join(home.places.home, '.cursor', 'hooks.json'), 'not json');
  const before = await home.snapshot();
  expect(await failureOf(home.setUp({ targets: ['claude', 'vscode', 'cursor'] }))).toMatchObject({ code: 'invalid_input' });
  expect(await home.snapshot()).toEqual(before);
  await expect(clientsHere(home.places)).resolves.toEqual(['cursor']);
});

it('tears down every project with --all', async () => {
  await using home = await clientHome({ target: 'vscode', scope: 'project' });
  const other = { ...home.places, project: join(home.places.home, 'elsewhere') };
  await home.write(join(other.project, 'readme.md'), 'x');
  const before = await home.snapshot();
  await home.setUp();
  await home.setUp({ places: other });
  await home.tearDown();
  expect(Object.keys(await home.snapshot()).some((path) => path.includes('elsewhere/.vscode/mcp.json'))).toBe(true);
  await home.tearDown({ everywhere: true });
  expect(await home.snapshot()).toEqual(before);
});

it('restores everything if a file cannot be written', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { server, hooks } = claudePaths(home.places.home);
  await home.write(server, '{}\n');
  // No file of this name can be made beside it: the name is as long as names may be, so that the draft of it is too long.
  const long = join(home.places.home, `${'x'.repeat(250)}.json`);
  await home.write(long, '{}');
  await rm(hooks, { force: true });
  await mkdir(join(home.places.home, '.claude'), { recursive: true });
  await symlink(long, hooks);
  const before = await home.snapshot();
  expect(await failureOf(home.setUp())).toMatchObject({ code: 'filesystem', message: expect.stringContaining(hooks) });
  expect(await home.snapshot()).toEqual(before);
  expect(await home.state()).toBe('absent');
});

it('tears down despite an unreadable file that it never changed', async () => {
  await using home = await clientHome({ target: 'claude' });
  const before = await home.snapshot();
  await home.setUp();
  await symlink(join(home.places.project, 'nothing'), join(home.places.project, 'CLAUDE.md'));
  await home.tearDown({ scopes: ['user', 'project'] });
  await rm(join(home.places.project, 'CLAUDE.md'));
  expect(await home.snapshot()).toEqual(before);
});

it('keeps the record of a file that can no longer be parsed', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { server } = claudePaths(home.places.home);
  const before = await home.snapshot();
  await home.setUp();
  const whole = await readFile(server, 'utf8');
  await writeFile(server, `${whole}]`);
  expect(await home.state()).toBe('unreadable');
  expect(await failureOf(home.tearDown())).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(server) });
  await writeFile(server, whole);
  await home.tearDown();
  expect(await home.snapshot()).toEqual(before);
});

it('follows the variables that move the folders of clients', async () => {
  const env = {
    CLAUDE_CONFIG_DIR: '/elsewhere/claude',
    CODEX_HOME: '/elsewhere/codex',
    XDG_CONFIG_HOME: '/elsewhere/config',
    APPDATA: '/elsewhere/roaming',
  };
  await using linux = await clientHome({ target: 'claude', env });
  expect((await linux.files()).map(({ path }) => path)).toEqual([
    '/elsewhere/claude/.claude.json',
    '/elsewhere/claude/settings.json',
    '/elsewhere/claude/CLAUDE.md',
  ]);
  await using opencode = await clientHome({ target: 'opencode', env });
  expect((await opencode.files())[0]!.path).toBe('/elsewhere/config/opencode/opencode.json');
  await using codex = await clientHome({ target: 'codex', env });
  expect((await codex.files())[0]!.path).toBe('/elsewhere/codex/config.toml');
  const vscodePath = async (platform: NodeJS.Platform) => {
    await using home = await clientHome({ target: 'vscode', platform, env });
    return (await home.files())[0]!.path.replace(home.places.home, '~');
  };
  expect(await vscodePath('linux')).toBe('/elsewhere/config/Code/User/mcp.json');
  expect(await vscodePath('darwin')).toBe('~/Library/Application Support/Code/User/mcp.json');
  expect(await vscodePath('win32')).toBe('/elsewhere/roaming/Code/User/mcp.json');
});

it('follows the existing shape of an OpenCode file', async () => {
  await using home = await clientHome({ target: 'opencode', scope: 'project' });
  const path = join(home.places.project, 'opencode.jsonc');
  await home.write(path, '{ "mcp": { "servers": { "a": { "type": "local", "command": ["a"] } } } }');
  await home.setUp();
  const command = [LAUNCHER.node, LAUNCHER.bin, 'mcp'];
  expect(parse(await readFile(path, 'utf8'))).toMatchObject({ mcp: { servers: { lore: { type: 'local', command } } } });
  expect(await home.state(MOVED)).toBe('outdated');
});

it('keeps a private journal and private backups, and removes them when nothing is left to undo', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { server } = claudePaths(home.places.home);
  await home.write(server, '{ "secret": 1 }\n');
  await home.setUp();
  const backups = await readdir(join(home.places.data, 'integrations'));
  expect(backups).toHaveLength(1);
  const paths = [join(home.places.data, 'integrations.json'), join(home.places.data, 'integrations', backups[0]!)];
  for (const path of paths) expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await readFile(paths[1]!, 'utf8')).toBe('{ "secret": 1 }\n');
  await home.tearDown();
  expect(await readdir(home.places.data)).toEqual([]);
  expect(await failureOf(stat(paths[0]!))).toMatchObject({ code: 'ENOENT' });
});

it('reports a damaged journal', async () => {
  await using home = await clientHome({ target: 'claude' });
  await home.write(join(home.places.data, 'integrations.json'), '{ "version": 2 }');
  const request = { targets: ['claude'], scope: 'user', places: home.places, launcher: LAUNCHER, force: false, dryRun: false } as const;
  expect(await failureOf(setUp({ ...request, without: new Set() }))).toMatchObject({
    code: 'config',
    hint: expect.stringContaining('Move this file away'),
  });
});

it.each(['claude', 'codex'] as const)(
  'removes the server of %s together with additions by the client, and reports them',
  async (target) => {
    await using home = await clientHome({ target });
    const before = await home.snapshot();
    await home.setUp();
    const [{ path }] = (await home.files()) as [TargetFile];
    const added = target === 'claude' ? '"type": "stdio",\n      "env": {},\n      "command"' : 'startup_timeout_sec = 20\ncommand';
    await edit(path, (text) => text.replace(target === 'claude' ? '"command"' : 'command', added));
    expect(await home.state()).toBe('installed');
    expect((await home.setUp()).files.every(({ action }) => action === 'keep')).toBe(true);
    const { warnings } = await home.tearDown();
    expect(warnings).toEqual([
      expect.stringMatching(/the MCP server was removed, including what was added to it: (?:type, env|startup_timeout_sec)\.$/),
    ]);
    expect(await home.snapshot()).toEqual(before);
  },
);

it('keeps additions of the client when the installation moves', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { server } = claudePaths(home.places.home);
  await home.setUp();
  await edit(server, (text) => text.replace('"command"', '"env": { "SERVICE_API_KEY": "k" },\n      "command"'));
  await home.setUp({ launcher: MOVED });
  expect(JSON.parse(await readFile(server, 'utf8'))).toEqual({
    mcpServers: { lore: { command: MOVED.node, args: [MOVED.bin, 'mcp'], env: { SERVICE_API_KEY: 'k' } } },
  });
});

it('replaces a foreign Codex table with --force, and restores it', async () => {
  await using home = await clientHome({ target: 'codex' });
  const path = join(home.places.home, '.codex', 'config.toml');
  const other = '[mcp_servers.other]\ncommand = "other"\n';
  await home.write(path, `model = "m"\n\n[mcp_servers.lore]\ncommand = "folklore"\n[mcp_servers.lore.env]\nA = "1"\n\n${other}`);
  const before = await home.snapshot();
  expect(await failureOf(home.setUp())).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('--force') });
  await home.setUp({ force: true });
  const text = await readFile(path, 'utf8');
  expect(text).toContain(other);
  expect(text).not.toContain('folklore');
  expect(await home.state()).toBe('installed');
  await home.tearDown();
  expect(await home.snapshot()).toEqual(before);
});

it('says what to add if Codex has its servers in an inline table', async () => {
  await using home = await clientHome({ target: 'codex' });
  const path = join(home.places.home, '.codex', 'config.toml');
  await home.write(path, 'mcp_servers = { other = { command = "x" } }\n');
  expect(await failureOf(home.setUp())).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('mcp_servers.lore') });
  await home.write(path, 'mcp_servers = {}\n');
  const { hint } = (await failureOf(home.setUp())) as { hint: string };
  await home.write(path, `${hint.split('\n').at(-1)}\n`);
  expect(await home.setUp()).toMatchObject({ warnings: [] });
  expect(await home.state()).toBe('installed');
});

it('updates the hooks of an earlier version, and removes them byte for byte', async () => {
  await using home = await clientHome({ target: 'claude' });
  const { hooks } = claudePaths(home.places.home);
  await home.write(hooks, '{\n  "theme": "dark"\n}\n');
  const before = await home.snapshot();
  await home.setUp();
  const installed = await home.snapshot();
  await asEarlierVersion(home, hooks);
  expect(await home.status()).toMatchObject({ state: 'outdated' });
  expect((await home.setUp()).files.map(({ action }) => action)).toEqual(['keep', 'change', 'keep']);
  expect(JSON.parse(await readFile(hooks, 'utf8'))).toEqual(
    JSON.parse(Buffer.from(installed['home/.claude/settings.json']!.split(' ').at(-1)!, 'base64').toString()),
  );
  expect(await home.state()).toBe('installed');
  await home.tearDown();
  expect(await home.snapshot()).toEqual(before);
});

/** As a version would have left it that knew neither matchers nor `async`, and fewer events. */
async function asEarlierVersion(home: ClientHome, path: string): Promise<void> {
  const journal = new Map(await readJournal(home.places.data));
  const record = journal.get(path)!;
  const isOld = ({ part }: InsertedPart): boolean => !['hook PreCompact', 'hook SubagentStop', 'hook StopFailure'].includes(part.id);
  const old = ({ part, ...where }: InsertedPart): InsertedPart => {
    if (part.kind !== 'hook') return { part, ...where };
    const [{ command }] = (part.value as unknown as { hooks: [{ command: string }] }).hooks;
    return { ...where, part: { ...part, value: { hooks: [{ type: 'command', command, timeout: 5 }] } } };
  };
  const parts = record.parts.filter(isOld).map(old);
  const original = await readFile(record.backup!, 'utf8');
  const text = parts.reduce((before, { part }) => editorOf(part).put(before), original);
  await writeFile(path, text);
  journal.set(path, { ...record, parts, after: digest(text) });
  await writeJournal(home.places.data, journal);
}
