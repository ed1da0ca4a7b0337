import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const STORE = new URL('../../src/store', import.meta.url).pathname;

/** Lowest first: a folder imports from those before it only. What lies beside the folders puts them together. */
const LAYERS = [
  'errors',
  'files',
  'format',
  'memtable',
  'catalog',
  'tables',
  'wal',
  'lock',
  'read',
  'write',
  'compaction',
  'vectors',
  'backup',
  'backends',
  'recovery',
  '',
];

interface Import {
  readonly file: string;
  readonly target: string;
}

const folderOf = (file: string): string => (file.includes('/') ? path.dirname(file) : '');
const layerOf = (file: string): string => folderOf(file).split('/')[0]!;

/** The imports among these files, also those of types alone. */
function importsBelow(root: string): Import[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
        .map(([, target = '']) => ({ file, target: path.join(path.dirname(file), target) }))
        .filter(({ target }) => !target.startsWith('..')),
    );
}

it('every folder of the store imports only from lower layers', () => {
  const upward = importsBelow(STORE).filter(
    ({ file, target }) => layerOf(file) !== layerOf(target) && LAYERS.indexOf(layerOf(target)) >= LAYERS.indexOf(layerOf(file)),
  );
  expect(upward).toEqual([]);
});

it('every folder of the store is a layer', () => {
  const folders = readdirSync(STORE, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  expect(folders.toSorted()).toEqual(LAYERS.filter((layer) => layer !== '').toSorted());
});

it.each(['src', 'src/store'])('no two folders of %s import each other', (root) => {
  const top = new URL(`../../${root}`, import.meta.url).pathname;
  const edges = new Set(importsBelow(top).map(({ file, target }) => `${layerOf(file)} ${layerOf(target)}`));
  const mutual = [...edges].filter((edge) => {
    const [from, to] = edge.split(' ') as [string, string];
    return from < to && edges.has(`${to} ${from}`);
  });
  expect(mutual).toEqual([]);
});

it('loads one copy of Arrow, that of LanceDB: importing its values would also load the ES modules', () => {
  const importing = readdirSync(STORE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && /^import (?!type )[^;]*'apache-arrow'/m.test(readFileSync(path.join(STORE, file), 'utf8')),
  );
  expect(importing).toEqual([]);
});
