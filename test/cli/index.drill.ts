import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { IndexReport } from '../../src/sources/project/index-run.ts';
import { openCliInProcess } from '../helpers/cli-in-process.ts';
import { writeFiles } from '../helpers/project.ts';

it('an index run killed in the middle is completed by the next run', async () => {
  await using cli = await openCliInProcess();
  const many = Array.from({ length: 300 }, (_, at): [string, string] => [`src/${at}.md`, sectionsOf(at)]);
  await writeFiles(cli.cwd, Object.fromEntries(many));
  const expected = (await cli.run(['index', '--dry-run', '--json'])).json<IndexReport>().entries.stored;
  const child = cli.spawn(['index']);
  const closed = once(child, 'close');
  await vi.waitFor(async () => expect(await journalBytes(cli.home)).toBeGreaterThan(0), { timeout: 30_000, interval: 5 });
  child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  expect((await cli.run(['index'])).code).toBe(0);
  expect((await cli.run(['index', '--status', '--json'])).json()).toMatchObject({ files: 300, entries: expected, upToDate: true });
});

/** Ten sections of a document. */
const sectionsOf = (nth: number): string =>
  Array.from({ length: 10 }, (_, at) => `# Section ${at} of ${nth}\n\nWhat it says.\n`).join('\n');

async function journalBytes(home: string): Promise<number> {
  const folder = join(home, '.local/share/lore/store/journal');
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}
