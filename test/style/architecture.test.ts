import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

/** Paths of the repository in backticks. */
function pathsIn(page: string): string[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  return [...text.matchAll(/`((?:src|test|web|bin)\/[\w./-]+)`/g)].map(([, path]) => path!);
}

describe('the map of the code', () => {
  it.each(['docs/architecture.md', 'CONTRIBUTING.md', 'docs/testing.md'])('of %s names only what is there', (page) => {
    const paths = pathsIn(page).filter((path) => !path.includes('NAME'));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  });
});
