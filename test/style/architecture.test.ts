import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

/** Paths of the repository in backticks. */
function pathsIn(page: string): string[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  return [...text.matchAll(/`((?:src|test|web|bin)\/[\w./-]+)`/g)].map(([, path]) => path!);
}

describe('the map of the code', () => {
  it.each(['docs/architecture.md', 'CONTRIBUTING.md', 'docs/testing.md'])('of %s names existing paths only', (page) => {
    const paths = pathsIn(page).filter((path) => !path.includes('NAME'));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  });
});

/** Each folder of `src`, with those that its files import from. */
function importsByFolder(): Map<string, Set<string>> {
  const source = fileURLToPath(new URL('src', ROOT));
  const folders = new Map<string, Set<string>>();
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const folder = dirname(file);
    const text = readFileSync(join(source, file), 'utf8');
    const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => relative(source, dirname(join(source, folder, path!))));
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...imported.filter((other) => other !== folder)]));
  }
  return folders;
}

describe('the folders of the code', () => {
  it('import each other in one direction; a folder and its subfolder count as one', () => {
    const folders = importsByFolder();
    const isInside = (one: string, other: string): boolean => one === '.' || other.startsWith(`${one}${sep}`);
    const pairs = [...folders].flatMap(([folder, others]) =>
      [...others]
        .filter((other) => folder < other && folders.get(other)?.has(folder) === true && !isInside(folder, other))
        .map((other) => `${folder} and ${other}`),
    );
    expect(folders.size).toBeGreaterThan(50);
    expect(pairs).toEqual([]);
  });
});
