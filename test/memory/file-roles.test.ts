import { expect, it } from 'vitest';
import { isGeneratedFile, isTestFile } from '../../src/memory/file-roles.ts';

it.each([
  'test/store.ts',
  'tests/test_core.py',
  'src/app.test.ts',
  'src/app.spec.tsx',
  'pkg/store_test.go',
  'src/__tests__/a.js',
  'src/test/java/AppTest.java',
  'conftest.py',
  'spec/models/user_spec.rb',
])('%s is a test', (path) => {
  expect(isTestFile(path)).toBe(true);
});

it.each(['src/testing.py', 'src/latest.ts', 'src/contest/rules.go', 'docs/specification.md', 'src/inspect.ts', 'protest.md'])(
  '%s is not a test',
  (path) => {
    expect(isTestFile(path)).toBe(false);
  },
);

it.each(['CHANGELOG.md', 'CHANGES.rst', 'vendor/a/b.go', 'src/demo/data.ts', 'web/api_generated.ts'])(
  '%s is documentation or generated',
  (path) => {
    expect(isGeneratedFile(path)).toBe(true);
  },
);

it.each(['src/changelog-reader.ts', 'src/builder.ts', 'src/app.ts', 'docs/build.md'])('%s is project code', (path) => {
  expect(isGeneratedFile(path)).toBe(false);
});
