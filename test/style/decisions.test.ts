import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../../docs/adr/', import.meta.url);
/** A row of the index: number, file and state. */
const ROW = /^\| \[(\d+)\. [^\]]+\]\(([^)]+)\)\s*\| (.*?)\s*\|$/gm;

const index = await readFile(new URL('README.md', FOLDER), 'utf8');
const rows = [...index.matchAll(ROW)].map(([, number = '', file = '', state = '']) => ({ number, file, state }));

describe('the index of decisions', () => {
  it('lists every page once, with its number', async () => {
    const pages = (await readdir(FOLDER)).filter((name) => /^\d{4}-/.test(name));
    expect(rows.map(({ file }) => file).toSorted()).toEqual(pages.toSorted());
    for (const { number, file } of rows) expect(Number(file.slice(0, 4))).toBe(Number(number));
  });

  it.each(rows.filter(({ state }) => state !== ''))('shows for $number the state on its page: $state', async ({ number, file, state }) => {
    const [title = '', , top = ''] = (await readFile(new URL(file, FOLDER), 'utf8')).split('\n');
    expect(title).toMatch(new RegExp(`^# ${number}\\. `));
    for (const [other] of state.matchAll(/\d+/g)) expect(top).toMatch(new RegExp(`\\b0*${other}\\b`));
    expect(top.startsWith('**Replaced**')).toBe(state.startsWith('replaced by'));
  });
});

/** A file of the repository; paths in the folder `src` are often written without it. */
const FILE =
  /`((?:src|test|web|bin|cli|config|embeddings|hooks|http|integrations|mcp|memory|service|sources|store)\/[\w./-]+\.(?:tsx?|m?js))`/g;

describe('pages about the code', () => {
  const decisions = rows.map(({ file }) => `docs/adr/${file}`);
  it.each([...decisions, 'docs/architecture.md', 'docs/testing.md', 'docs/security.md'])('%s names only files that exist', async (page) => {
    const root = new URL('../../', import.meta.url);
    const text = await readFile(new URL(page, root), 'utf8');
    const exists = (path: string): boolean => existsSync(new URL(path, root)) || existsSync(new URL(`src/${path}`, root));
    expect([...text.matchAll(FILE)].map(([, path = '']) => path).filter((path) => !exists(path))).toEqual([]);
  });
});
