import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, makeArrowTable, type Table } from '@lancedb/lancedb';
import { Field, List, Schema, Utf8 } from 'apache-arrow';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literal, hasAnyEntity, oneOf, predicate } from '../../../src/store/format/predicates.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const ROUNDS = Number(process.env['LORE_HOSTILE_TEXTS'] ?? 40);
const SQL_SIGNS = [
  "'",
  "''",
  '"',
  '`',
  '\\',
  "\\'",
  '--',
  ';',
  '%',
  '_',
  '(',
  ')',
  '[',
  ']',
  ',',
  '/*',
  '*/',
  '\0',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '$1',
  '?',
  ':x',
  '😀',
  'é',
  '\u{301}',
  '\ufffd',
  '\u202e',
  ' OR ',
  '1=1',
  'NULL',
  'id',
];
const KNOWN = [
  "x' OR '1'='1",
  "x' OR 1=1 --",
  "'); DROP TABLE entries; --",
  "\\' OR 1=1 --",
  "x'' OR ''1''=''1",
  "' UNION SELECT * FROM entries --",
  ...SQL_SIGNS,
  "%' --",
  '_',
  '100%',
  'null',
  '\u0000\u0000',
  '🐟'.repeat(50),
  "'".repeat(200),
  '\\'.repeat(201),
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...SQL_SIGNS), fc.string({ unit: 'grapheme', maxLength: 4 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));

/** A table in which each of these texts stands in every kind of column that a filter looks at, once. */
async function tableOf(folder: string, texts: readonly string[]): Promise<Table> {
  const list = new List(new Field('item', new Utf8(), true));
  const schema = new Schema([
    ...['id', 'namespace', 'container', 'source', 'priority', 'status'].map((name) => new Field(name, new Utf8(), false)),
    new Field('tags', list, false),
    new Field('entities', list, false),
  ]);
  const rows = texts.map((text) => ({
    id: text,
    namespace: text,
    container: text,
    source: text,
    priority: text,
    status: 'active',
    tags: [text, 'common'],
    entities: ['common', text],
  }));
  const db = await connect(folder);
  return await db.createTable('texts', makeArrowTable(rows, { schema }));
}

async function idsWhere(table: Table, where: string): Promise<string[]> {
  const rows = (await table.query().where(where).select(['id']).toArray()) as { id: string }[];
  return rows.map(({ id }) => id);
}

/** Every way in which a text gets into a filter. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  'an id': (text) => oneOf('id', [text]),
  'an id among others': (text) => oneOf('id', [text, 'no such id', "'"]),
  'a namespace': (text) => predicate({ namespaces: [text] })!,
  'a namespace among two': (text) => predicate({ namespaces: ['no such', text], current: true })!,
  'a container': (text) => predicate({ container: text })!,
  'a tag': (text) => predicate({ tags: [text] })!,
  'a tag and another': (text) => predicate({ tags: ['common', text] })!,
  'an entity': (text) => hasAnyEntity([text]),
  'an entity among two': (text) => hasAnyEntity([text, 'no such']),
  'everything at once': (text) =>
    predicate({ namespaces: [text], container: text, tags: [text] }, [oneOf('id', [text]), hasAnyEntity([text])])!,
};

describe('hostile text in a filter', () => {
  it(`is found and removed exactly (${ROUNDS} generated texts and ${KNOWN.length} known ones; LORE_HOSTILE_TEXTS)`, async () => {
    await using folder = await temporaryFolder();
    const generated = fc.sample(hostile, { numRuns: ROUNDS, seed: 7 });
    const texts = [...new Set([...KNOWN, ...generated])].filter((text) => text.isWellFormed());
    const table = await tableOf(folder.path, texts);
    for (const text of texts) {
      for (const [way, where] of Object.entries(WAYS)) {
        const among = way === 'an id among others' ? [text, "'"] : [text];
        expect([way, text, (await idsWhere(table, where(text))).toSorted()]).toEqual([way, text, [...new Set(among)].toSorted()]);
      }
    }
    const ways = Object.values(WAYS).filter((_, at) => at !== 1);
    for (const [nth, text] of texts.entries()) {
      await table.delete(ways[nth % ways.length]!(text));
      expect([text, await table.countRows()]).toEqual([text, texts.length - nth - 1]);
    }
  });

  it('is rejected if it is not well-formed: it would match the row of another text', () => {
    for (const text of ['\ud800', 'a\udfffb', '\udc00\ud800', `x' OR '1'='1\ud83d`]) {
      for (const where of Object.values(WAYS)) expect(() => where(text)).toThrow('well-formed');
      expect(() => literal(text)).toThrow('well-formed');
    }
  });

  it('matches nothing unless stored, whatever its wildcards', async () => {
    await using folder = await temporaryFolder();
    const table = await tableOf(folder.path, ['one', 'two']);
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom(...Object.values(WAYS)), async (text, where) => {
        fc.pre(text.isWellFormed() && text !== 'one' && text !== 'two');
        expect(await idsWhere(table, where(text))).toEqual([]);
        await table.delete(where(text));
        expect(await table.countRows()).toBe(2);
      }),
      { numRuns: ROUNDS, seed: 11 },
    );
  });
});

describe('the callers of the engine', () => {
  /** Conditions without any value of a user, or made by predicates.ts. */
  const HARMLESS = [
    /^(?:oneOf|predicate|namesAny)\(/,
    /^`\$\{[\w.#]+\} IS (?:NOT )?NULL`/,
    /^"[^"$]*"/,
    /^'[^'$]*'/,
    /^\)/,
    /^(?:where|others|condition)[,)]/,
  ];

  it('build no conditions: values are escaped in predicates.ts only', async () => {
    const src = fileURLToPath(new URL('../../../src', import.meta.url));
    const files = (await readdir(src, { recursive: true })).filter(
      (name) => name.endsWith('.ts') && name !== path.join('store', 'format', 'predicates.ts'),
    );
    let calls = 0;
    const faults: string[] = [];
    for (const name of files) {
      const text = await readFile(path.join(src, name), 'utf8');
      const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
      for (const { 0: call, index } of code.matchAll(
        /(?:\b(?:table|writer|reader)|query\(\)|query)\s*\.(?:where|delete|countRows)\(\s*/g,
      )) {
        calls += 1;
        const given = code.slice(index + call.length, index + call.length + 80);
        if (!HARMLESS.some((pattern) => pattern.test(given))) faults.push(`${name}: ${call}${given.split('\n')[0]}`);
        // A condition from elsewhere is made by predicates.ts, which the file then imports.
        if (/^(?:where|others|condition)[,)]/.test(given) && !/from '\.[\w./]*\/predicates\.ts'|where: string/.test(code))
          faults.push(`${name}: ${call}${given}`);
      }
      if (/\bliteral\b/.test(code) && name.startsWith('store')) faults.push(`${name}: literal`);
      // A value in quotes inside a text that is put together.
      for (const { 0: part } of code.matchAll(/`[^`\n]*(?:=|IN|LIKE|,|\()\s*'\$\{[^`\n]*`/g))
        if (name.startsWith('store')) faults.push(`${name}: ${part}`);
    }
    expect(faults).toEqual([]);
    expect(calls).toBeGreaterThan(10);
  });
});
