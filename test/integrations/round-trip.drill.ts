import { chmod, mkdir, readFile, realpath, rename, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editorOf } from '../../src/integrations/part-editor.ts';
import { digest } from '../../src/integrations/atomic-files.ts';
import { readJournal, writeJournal } from '../../src/integrations/journal.ts';
import { setValue } from '../../src/integrations/json-text.ts';
import { SCOPES, TARGET_NAMES } from '../../src/integrations/target.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { failureOf } from '../helpers/failure.ts';
import { clientHome, existingText, LAUNCHER, MOVED, type ClientHome } from './client-home.ts';

// Claude Desktop has no projects.
const CASES = TARGET_NAMES.flatMap((target) => SCOPES.map((scope) => ({ target, scope }))).filter(
  ({ target, scope }) => target !== 'claude-desktop' || scope === 'user',
);

/** Sets up twice, looks at the state, tears down, and expects the files to be as they were. */
async function expectRoundTrip(home: ClientHome): Promise<void> {
  const before = await home.snapshot();
  const first = await home.setUp();
  expect(first.files.map(({ action }) => action)).not.toContain('keep');
  expect(await home.state()).toBe('installed');
  const between = await home.snapshot();
  const second = await home.setUp();
  expect(second.files.map(({ action }) => action)).toEqual(second.files.map(() => 'keep'));
  expect(await home.snapshot()).toEqual(between);
  const { warnings } = await home.tearDown();
  expect(warnings).toEqual([]);
  expect(await home.state()).toBe('absent');
  expect(await home.snapshot()).toEqual(before);
}

async function plant(home: ClientHome, change: (text: string) => string = (text) => text): Promise<void> {
  for (const file of await home.files()) {
    const text = existingText(file);
    if (text !== undefined) await home.write(file.path, change(text));
  }
}

/** Without those that hold a short list, which may be opened, and without the commas that may come in behind what was the last. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/"(?:SessionStart|sessionStart|pre_user_prompt|servers)"/.test(line));
  return lines.map((line) => line.replace(/,(?=\s*(?:\/\/|$))/, '').trimEnd());
}

/** What a user might do to a file of their own. */
function edited(path: string, text: string): string {
  return path.endsWith('.md') || path.endsWith('.toml')
    ? `# First of all\n${text}# Last of all\n`
    : setValue(text, ['mine'], { kept: true });
}

/** As a version that knew all hooks but the last would have left it; false where the client has no list of hooks. */
async function withoutLastHook(home: ClientHome): Promise<boolean> {
  const file = (await home.files()).find(({ parts }) => parts.some(({ kind }) => kind === 'hook'));
  const part = file?.parts.findLast(({ kind }) => kind === 'hook');
  if (file === undefined || part === undefined) return false;
  const text = editorOf(part).take(await readFile(file.path, 'utf8'));
  await home.write(file.path, text);
  const journal = new Map(await readJournal(home.places.data));
  const record = journal.get(await realpath(file.path))!;
  journal.set(record.path, { ...record, after: digest(Buffer.from(text)), parts: record.parts.filter((one) => one.part.id !== part.id) });
  await writeJournal(home.places.data, journal);
  return true;
}

describe.each(CASES)('$target at $scope scope', (options) => {
  it('creates missing files and folders, and removes them again', async () => {
    await using home = await clientHome(options);
    await expectRoundTrip(home);
  });

  it('fills empty files, and empties them again', async () => {
    await using home = await clientHome(options);
    for (const file of await home.files()) await home.write(file.path, '');
    await expectRoundTrip(home);
  });

  it('keeps other servers, hooks, comments and text byte for byte', async () => {
    await using home = await clientHome(options);
    await plant(home);
    const originals = new Map<string, string>();
    for (const { path } of await home.files()) originals.set(path, await readFile(path, 'utf8').catch(() => ''));
    await home.setUp();
    for (const [path, original] of originals) {
      const lines = linesOf(await readFile(path, 'utf8'));
      expect(linesOf(original).filter((line) => !lines.includes(line))).toEqual([]);
    }
    await home.tearDown();
    for (const [path, original] of originals) expect(await readFile(path, 'utf8').catch(() => '')).toBe(original);
    await expectRoundTrip(home);
  });

  it('keeps CRLF line ends and a byte order mark', async () => {
    await using home = await clientHome(options);
    await plant(home, (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    await home.setUp();
    for (const file of await home.files()) {
      if (existingText(file) === undefined) continue;
      const text = await readFile(file.path, 'utf8');
      expect(text.startsWith('\uFEFF')).toBe(true);
      expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    }
    await home.tearDown();
    await expectRoundTrip(home);
  });

  it('writes through symbolic links, and keeps permissions', async () => {
    await using home = await clientHome(options);
    await plant(home);
    const real = join(home.places.home, 'dotfiles');
    await mkdir(real);
    for (const [nth, { path }] of (await home.files()).entries()) {
      const to = join(real, `${nth}-${basename(path)}`);
      await mkdir(dirname(path), { recursive: true });
      await rename(path, to).catch(() => home.write(to, ''));
      await chmod(to, 0o640);
      await symlink(to, path);
    }
    await expectRoundTrip(home);
  });

  it('works with blanks in every path', async () => {
    const launcher = { node: '/opt/my node/bin/node', bin: '/opt/my "lore"/bin/run.js' };
    await using home = await clientHome({ ...options, below: 'a folder with blanks', launcher });
    await plant(home);
    await expectRoundTrip(home);
  });

  // Root may write to everything: what is refused to it is a file whose mode says read-only, and a folder in the place of a file.
  it('changes no file if one is read-only or is a folder', async () => {
    for (const spoil of [
      async (path: string) => chmod(path, 0o444),
      async (path: string) => {
        await rename(path, `${path}.old`);
        await mkdir(path);
      },
    ]) {
      await using home = await clientHome(options);
      await plant(home);
      const last = (await home.files()).findLast((file) => existingText(file) !== undefined);
      // Continue has files of our own only.
      if (last === undefined) return;
      await spoil(last.path);
      const before = await home.snapshot();
      expect(await failureOf(home.setUp())).toMatchObject({ code: 'filesystem', message: expect.stringContaining(last.path) });
      expect(await home.snapshot()).toEqual(before);
      expect(await home.state()).not.toBe('installed');
    }
  });

  it('changes nothing in a dry run, and shows the changes', async () => {
    await using home = await clientHome(options);
    await plant(home);
    const before = await home.snapshot();
    const { files } = await home.setUp({ dryRun: true });
    expect(files.every(({ action, before: from, after }) => action !== 'keep' && from !== after)).toBe(true);
    expect(await home.snapshot()).toEqual(before);
    await home.setUp();
    const installed = await home.snapshot();
    expect((await home.tearDown({ dryRun: true })).files.map(({ action }) => action)).not.toContain('keep');
    expect(await home.snapshot()).toEqual(installed);
  });

  it('rewrites its entries when the installation has moved, and still leaves no trace', async () => {
    await using home = await clientHome(options);
    await plant(home);
    const before = await home.snapshot();
    await home.setUp();
    // Cline reads nothing but an instruction in a project.
    if ((await home.files()).every(({ purpose }) => purpose === 'instructions')) return;
    expect(await home.state(MOVED)).toBe('outdated');
    const { files } = await home.setUp({ launcher: MOVED });
    expect(files.some(({ action }) => action === 'change')).toBe(true);
    expect(await home.state(MOVED)).toBe('installed');
    expect(await home.state(LAUNCHER)).toBe('outdated');
    await home.tearDown();
    expect(await home.snapshot()).toEqual(before);
  });

  it('is outdated if an earlier version lacked a hook, adds it, and still leaves no trace', async () => {
    await using home = await clientHome(options);
    await plant(home);
    const before = await home.snapshot();
    await home.setUp();
    const installed = await home.snapshot();
    if (!(await withoutLastHook(home))) return;
    const status = await home.status();
    expect(status).toMatchObject({ state: 'outdated', findings: [expect.stringMatching(/: the hook \w+ is missing\./)] });
    const { files } = await home.setUp();
    expect(files.map(({ action }) => action).filter((action) => action !== 'keep')).toEqual(['change']);
    expect(await home.state()).toBe('installed');
    expect(await home.snapshot()).toEqual(installed);
    await home.tearDown();
    expect(await home.snapshot()).toEqual(before);
  });

  it('leaves out hooks and instructions on request, and still counts as installed', async () => {
    await using home = await clientHome(options);
    const before = await home.snapshot();
    const { files } = await home.setUp({ without: new Set(['hooks', 'instructions']) });
    expect(files.every(({ purpose }) => purpose === 'server')).toBe(true);
    // Windsurf and Cline have no file for a server in a project.
    expect(await home.state()).toBe(files.length > 0 ? 'installed' : 'absent');
    await home.tearDown();
    expect(await home.snapshot()).toEqual(before);
  });

  it('removes only its own entries if the journal is lost', async () => {
    await using home = await clientHome(options);
    await plant(home);
    await home.setUp();
    const places = { ...home.places, data: join(home.places.data, 'other') };
    await home.tearDown({ places });
    for (const file of await home.files()) {
      const text = await readFile(file.path, 'utf8').catch(() => undefined);
      expect(text ?? '').not.toMatch(/run\.js|lore:start/);
      expect(/other-server|Speak plainly/.test(text ?? '')).toBe(existingText(file) !== undefined);
    }
  });

  it('keeps later edits of the user, and nothing of ours', async () => {
    await using home = await clientHome(options);
    await plant(home);
    await home.setUp();
    const theirs = (await home.files()).filter((file) => existingText(file) !== undefined);
    for (const { path } of theirs) await home.write(path, edited(path, await readFile(path, 'utf8')));
    expect(await home.state()).toBe('installed');
    const { warnings } = await home.tearDown();
    expect(warnings).toEqual([]);
    for (const file of theirs) {
      const original = existingText(file)!;
      const text = await readFile(file.path, 'utf8');
      // Whether a last line ended before the block came is not known any more.
      const expected = edited(file.path, file.path.endsWith('.md') ? `${original}\n` : original);
      expect(text).toBe(expected);
    }
    expect(await home.state()).toBe('absent');
  });

  it('has a specific error for every refusal', async () => {
    await using home = await clientHome(options);
    const [file] = (await home.files()).filter(({ path }) => /\.(?:jsonc?|toml)$/.test(path));
    if (file === undefined) return;
    await home.write(file.path, '{ "mcpServers": [ = ');
    const before = await home.snapshot();
    const error = await failureOf(home.setUp());
    expect(error).toBeInstanceOf(LoreError);
    expect(error).toMatchObject({ code: 'invalid_input', hint: expect.stringMatching(/by hand:\n[^]*run\.js/) });
    expect(await home.snapshot()).toEqual(before);
  });
});
