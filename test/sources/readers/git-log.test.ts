import { describe, expect, it } from 'vitest';
import { contentsOf, reading } from './reading.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];

const MEDIUM = `commit ${A} (HEAD -> main)
Merge: 1234567 89abcde
Author: Ana <ana@example.com>
Date:   Tue May 7 10:00:00 2024 +0200

    Ship the search

    It was slow.
    commit ${'c'.repeat(40)}

src/search.ts
docs/über uns.md

commit ${B}
Author: Ben <ben@example.com>
Date:   Mon May 6 10:00:00 2024 +0200

    Begin
`;

describe('git log', () => {
  it('gives an entry per commit, with hash, author, date, message and files', async () => {
    const read = await reading('standard input', MEDIUM);
    expect(read.format).toBe('git-log');
    expect(read.documents).toEqual([
      {
        key: { root: 'git', path: A },
        passages: [
          {
            content: `Ship the search\n\nIt was slow.\ncommit ${'c'.repeat(40)}\n\nFiles: src/search.ts, docs/über uns.md`,
            tags: ['commit'],
            createdAt: '2024-05-07T08:00:00.000Z',
            details: { commit: A, author: 'Ana <ana@example.com>', date: '2024-05-07T08:00:00.000Z' },
          },
        ],
      },
      {
        key: { root: 'git', path: B },
        passages: [
          {
            content: 'Begin',
            tags: ['commit'],
            createdAt: '2024-05-06T08:00:00.000Z',
            details: { commit: B, author: 'Ben <ben@example.com>', date: '2024-05-06T08:00:00.000Z' },
          },
        ],
      },
    ]);
  });

  it.each([
    ['--stat', ' src/a.ts | 3 ++-\n img.png  | Bin 0 -> 12 bytes\n 2 files changed, 3 insertions(+)', 'src/a.ts, img.png'],
    ['--name-status', 'M\tsrc/a.ts\nR100\told.ts\tnew.ts', 'src/a.ts, new.ts'],
    ['--numstat', '3\t1\tsrc/a.ts\n-\t-\timg.png', 'src/a.ts, img.png'],
    ['--raw', ':100644 100644 1234567 89abcde M\tsrc/a.ts', 'src/a.ts'],
    [
      '--patch',
      'diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-commit old\n+    new\nplain',
      'src/a.ts',
    ],
  ])('lists the files of %s', async (_, lines, files) => {
    const log = `commit ${A}\nAuthor: Ana <a@b.c>\nDate:   2024-05-07T10:00:00+02:00\n\n    Change\n\n${lines}\n`;
    expect(contentsOf(await reading('log.txt', log))).toEqual([`Change\n\nFiles: ${files}`]);
  });

  it('reads the formats full, fuller and raw', async () => {
    const fuller = `commit ${A}\nAuthor:     Ana <a@b.c>\nAuthorDate: Tue May 7 10:00:00 2024 +0200\nCommit:     Ben <b@b.c>\nCommitDate: Wed May 8 10:00:00 2024 +0200\n\n    Change\n`;
    const raw = `commit ${A}\ntree ${B}\nauthor Ana <a@b.c> 1715068800 +0200\ncommitter Ben <b@b.c> 1715155200 +0200\n\n    Change\n`;
    for (const log of [fuller, raw]) {
      const [document] = (await reading('log', log)).documents;
      expect(document?.passages[0]).toMatchObject({
        content: 'Change',
        createdAt: '2024-05-07T08:00:00.000Z',
        details: { author: 'Ana <a@b.c>' },
      });
    }
  });

  it('is rejected if the content is something else', async () => {
    await expect(reading('notes.txt', 'no commits here', { format: 'git-log' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('lists at most thirty files', async () => {
    const files = Array.from({ length: 45 }, (_, at) => `src/file${at}.ts`);
    const [text = ''] = contentsOf(
      await reading('log', `commit ${A}\nAuthor: A <a>\nDate: 2024-05-07\n\n    Many\n\n${files.join('\n')}\n`),
    );
    expect(text).toContain('src/file29.ts and 15 more');
    expect(text).not.toContain('src/file30.ts');
  });
});
