import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEntities } from '../../../src/memory/entities/entities.ts';
import { ENTITY_KINDS, type EntityKind } from '../../../src/memory/entities/entity-kinds.ts';
import { entityKey, kindOf, renamePath } from '../../../src/memory/entities/entity-names.ts';

describe('the kind of a name', () => {
  it.each([
    ['src/a.ts', 'path'],
    ['package.json', 'path'],
    ['Makefile', 'path'],
    ['~/.local', 'path'],
    ['C:/x/y', 'path'],
    [String.raw`src\a`, 'path'],
    ['fooBar', 'symbol'],
    ['cart_id', 'symbol'],
    ['parse()', 'symbol'],
    ['response.json()', 'symbol'],
    ['nw::edge', 'symbol'],
    ['fastify', 'package'],
    ['drizzle-orm', 'package'],
    ['@acme/tools', 'package'],
    ['Node.js', 'package'],
    ['github.com/spf13/cobra', 'package'],
    ['https://x.example', 'url'],
    ['s3://bucket/key', 'url'],
    ['ENOENT', 'error'],
    ['ts2345', 'error'],
    ['HTTP 503', 'error'],
    ['0x80070005', 'error'],
    ['@ken', 'person'],
    ['@/components/a.tsx', 'path'],
  ] as const)('%s is %s', (name, kind) => {
    expect(kindOf(name)).toBe(kind);
  });
});

describe('lookup by name', () => {
  it.each([
    ['./src/a.ts', 'src/a.ts'],
    [String.raw`.\src\\a.ts`, 'src/a.ts'],
    ['src//lib/./a.ts/', 'src/lib/a.ts'],
    ['src/a.ts:12:5', 'src/a.ts'],
    ['c:/Users/x', 'C:/Users/x'],
    [String.raw`\\server\share`, '//server/share'],
    [' @Ken ', '@ken'],
    ['@Acme/Tools', '@acme/tools'],
    ['Node.JS', 'node.js'],
    ['HTTPS://X.Example:443/Path/?q=1&token=2', 'https://x.example/Path/?q=1'],
    ['enoent', 'ENOENT'],
    ['0X8007000e', '0x8007000E'],
    ['calculateTotals(cart, 2)', 'calculateTotals'],
    ['parse(text)', 'parse()'],
    ['RingBuffer<T>::push()', 'RingBuffer::push'],
    ['e\u0301t\u00e9/a.ts', '\u00e9t\u00e9/a.ts'],
  ])('reads %s as %s', (written, key) => {
    expect(entityKey(written)).toBe(key);
    expect(entityKey(key)).toBe(key);
  });

  it('distinguishes paths and symbols by case, and words from functions', () => {
    expect(entityKey('src/A.ts')).not.toBe(entityKey('src/a.ts'));
    expect(entityKey('fooBar')).not.toBe(entityKey('foobar'));
    expect(entityKey('parse')).not.toBe(entityKey('parse()'));
  });

  it('finds every stored name in its notations', () => {
    const waysToWrite = {
      path: (name) => [`${name}/`, `${name}:12:5`, `${name}#L3`, name.replaceAll('/', '\\'), ...(/^[/~.]/.test(name) ? [] : [`./${name}`])],
      symbol: (name) => [`${name.replace('()', '')}()`, `${name.replace('()', '')}(cart, 2)`],
      package: (name) => [name.toUpperCase()],
      url: (name) => [`${name}.`, `${name}/`, name.replace('://', '://user:password@')],
      error: (name) => [name],
      person: (name) => [name.toUpperCase()],
    } as const satisfies Record<EntityKind, (name: string) => string[]>;
    const lines = readFileSync(new URL('../../eval/data/memories.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    for (const line of lines) {
      for (const { name, kind } of findEntities((JSON.parse(line) as { content: string }).content)) {
        for (const written of waysToWrite[kind](name)) expect(entityKey(written), written).toBe(name);
      }
    }
  });

  it('accepts any text', () => {
    const sign = fc.constantFrom(...'a B 1 . / \\ : @ # ( ) < > _ - ? & = ~ % é 中'.split(' '), ' ', 'https://', 'token=', ':12', './');
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(sign, { maxLength: 300 }).map((signs) => signs.join('')),
    );
    fc.assert(
      fc.property(any, (name) => {
        expect(ENTITY_KINDS).toContain(kindOf(name));
        expect(entityKey(` ${name} `)).toBe(entityKey(name));
      }),
      { numRuns: 2000 },
    );
    expect(entityKey('a/'.repeat(100_000))).toHaveLength(200_000);
  });
});

describe('a moved path', () => {
  it('gets its new name, as a file and as a folder, by whole segments', () => {
    const names = ['src/old/a.ts', 'src/older/b.ts', 'src/old', 'fooBar', 'lib/src/old/c.ts'];
    expect(renamePath(names, 'src/old', 'src/new')).toEqual(['src/new/a.ts', 'src/older/b.ts', 'src/new', 'fooBar', 'lib/src/old/c.ts']);
    expect(renamePath(names, './src/old/a.ts', String.raw`src\z.ts`)).toContain('src/z.ts');
    expect(renamePath(['src/a.ts'], 'src/', 'lib')).toEqual(['lib/a.ts']);
  });

  it('is merged with an existing name', () => {
    expect(renamePath(['src/a.ts', 'EACCES', 'src/b.ts'], 'src/b.ts', 'src/a.ts')).toEqual(['src/a.ts', 'EACCES']);
  });

  it('can move to the root, and stays if the result is not a path or too long', () => {
    expect(renamePath(['src/lib/a.ts', 'src/a.ts', 'src/bin'], 'src', '')).toEqual(['lib/a.ts', 'a.ts', 'src/bin']);
    expect(renamePath(['src/a.ts'], 'src', 'x'.repeat(300))).toEqual(['src/a.ts']);
    expect(renamePath(['src/a.ts', '/etc/x'], '', 'lib')).toEqual(['src/a.ts', '/etc/x']);
  });

  it('leaves names of other kinds alone', () => {
    const names = ['https://x.example/src/a.ts', '@src', '@src/tools', 'src', 'src/a.ts'];
    expect(renamePath(names, 'src', 'lib')).toEqual(['https://x.example/src/a.ts', '@src', '@src/tools', 'src', 'lib/a.ts']);
  });

  it('can be moved back if nothing was merged', () => {
    const segment = fc.stringMatching(/^[a-z]{1,6}$/);
    const path = fc.array(segment, { minLength: 2, maxLength: 5 }).map((segments) => `${segments.join('/')}.ts`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 8 }), segment, (names, folder) => {
        const moved = renamePath(names, folder, 'NEW/home');
        expect(renamePath(moved, 'NEW/home', folder)).toEqual(names);
      }),
    );
  });
});
