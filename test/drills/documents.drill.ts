import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { blocksOfOperations, patternOf, squeezed } from './transcript.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

it('every drill of docs/operations.md is run by a test', () => {
  const tests = readdirSync(HERE).filter((file) => file.endsWith('.drill.ts'));
  const sources = tests.map((file) => readFileSync(`${HERE}${file}`, 'utf8')).join('\n');
  const blocks = blocksOfOperations();
  const played = blocks.flatMap(({ drill }) => drill ?? []);
  expect(played.length).toBeGreaterThan(15);
  expect(new Set(played).size).toBe(played.length);
  expect(played.filter((drill) => !sources.includes(`play('${drill}')`))).toEqual([]);
});

it('every file named in docs/operations.md exists', () => {
  const text = readFileSync(`${HERE}../../docs/operations.md`, 'utf8');
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path ?? '');
  expect(links.length).toBeGreaterThan(10);
  for (const link of links) expect(() => readFileSync(`${HERE}../../docs/${link}`), link).not.toThrow();
});

it('a transcript matches varying parts by an ellipsis, and everything else by its words', () => {
  const said = 'Name     …\nEntries  3 entries\n…\nEnd';
  expect(squeezed('Name  2026\nEntries      3 entries\nmore\nand more\nEnd\n')).toMatch(patternOf(said));
  expect(squeezed('Name  2026\nEntries      3 entries\nEnd\n')).toMatch(patternOf(said));
  expect(squeezed('Name  2026\nEntries      4 entries\nEnd\n')).not.toMatch(patternOf(said));
  expect(squeezed('Name  2026\nEntries      3 entries\n')).not.toMatch(patternOf(said));
  expect('anything\n').not.toMatch(patternOf(''));
});
