import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readState, writeFiles } from '../../src/integrations/atomic-files.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';

it('restores written files if a later one was changed in the meantime', async () => {
  await using folder = await temporaryFolder();
  const [first, made, second] = ['first', 'new/folder/made', 'second'].map((name) => join(folder.path, name)) as [string, string, string];
  await writeFile(first, 'one');
  await writeFile(second, 'two');
  const states = await Promise.all([first, made, second].map(readState));
  await writeFile(second, 'two, by another program');
  const changes = states.map((state) => ({ state, content: Buffer.from('ours') }));
  expect(await failureOf(writeFiles(changes))).toMatchObject({ code: 'filesystem', hint: 'Run the command again.' });
  expect(await readFile(first, 'utf8')).toBe('one');
  expect(await readFile(second, 'utf8')).toBe('two, by another program');
  expect((await readdir(folder.path)).toSorted()).toEqual(['first', 'second']);
});

it('restores a removed file', async () => {
  await using folder = await temporaryFolder();
  const [first, second] = ['first', 'second'].map((name) => join(folder.path, name)) as [string, string];
  await writeFile(first, 'one', { mode: 0o640 });
  const gone = await readState(first);
  const missing = await readState(second);
  await writeFile(second, 'come in between');
  const failure = failureOf(
    writeFiles([
      { state: gone, content: undefined },
      { state: missing, content: Buffer.from('ours') },
    ]),
  );
  expect(await failure).toMatchObject({ code: 'filesystem' });
  expect(await readFile(first, 'utf8')).toBe('one');
});

it('rejects a folder, a dangling link, a path through a file, and binary content', async () => {
  await using folder = await temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  await mkdir(at('folder'));
  await symlink(at('nothing'), at('link'));
  await writeFile(at('file'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  for (const name of ['folder', 'link', 'file/below']) {
    expect(await failureOf(readState(at(name)))).toMatchObject({ code: 'filesystem', message: expect.stringContaining(at(name)) });
  }
  expect(await failureOf(readState(at('file')))).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('UTF-8') });
});
