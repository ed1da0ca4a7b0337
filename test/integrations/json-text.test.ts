import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { appendValue, jsonFault, removeValue, setValue, type JsonValue } from '../../src/integrations/json-text.ts';

const ADDED: readonly { name: string; before: string; after: string }[] = [
  { name: 'an empty object', before: '{}', after: '{\n  "new": 1\n}' },
  { name: 'an object with a comment only', before: '{\n  // none yet\n}\n', after: '{\n  // none yet\n  "new": 1\n}\n' },
  {
    name: 'behind the comment of the last member',
    before: '{\n  "a": 1 // one\n}\n',
    after: '{\n  "a": 1, // one\n  "new": 1\n}\n',
  },
  { name: 'behind a trailing comma', before: '{\n\t"a": 1,\n}', after: '{\n\t"a": 1,\n\t"new": 1,\n}' },
  { name: 'an object on one line', before: '{ "a": 1 }', after: '{ "a": 1, "new": 1 }' },
  { name: 'Windows line ends', before: '{\r\n    "a": 1\r\n}\r\n', after: '{\r\n    "a": 1,\r\n    "new": 1\r\n}\r\n' },
];

it.each(ADDED)('adds a member to $name', ({ before, after }) => {
  expect(setValue(before, ['new'], 1)).toBe(after);
});

it.each(ADDED.filter(({ before }) => before.includes('"a"')))('removes it again from $name', ({ before, after }) => {
  expect(parse(removeValue(after, ['new']), [], { allowTrailingComma: true })).toEqual(parse(before, [], { allowTrailingComma: true }));
});

it('removes a member without the comment of its neighbour', () => {
  const text = '{\n  "a": 1, // one\n  "b": 2, // two\n  "c": 3 // three\n}\n';
  expect(removeValue(text, ['b'])).toBe('{\n  "a": 1, // one\n   // two\n  "c": 3 // three\n}\n');
  expect(removeValue(text, ['c'])).toBe('{\n  "a": 1, // one\n  "b": 2 // two\n   // three\n}\n');
  expect(removeValue('{\n  "a": 1,\n  "b": 2\n}', ['a'])).toBe('{\n  "b": 2\n}');
});

it('creates missing objects and the list, and keeps an empty list on one line', () => {
  const text = appendValue('{}\n', ['hooks', 'Stop'], { command: 'x' });
  expect(parse(text)).toEqual({ hooks: { Stop: [{ command: 'x' }] } });
  expect(removeValue(text, ['hooks', 'Stop', 0])).toBe('{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
});

it('reports the position of a JSON error', () => {
  expect(jsonFault('{ "a": 1, /* x */ }')).toBeUndefined();
  expect(jsonFault('{\n  "a" 1\n}')).toBe('it is not valid JSON: colon expected at line 2, column 7');
  expect(jsonFault('[]')).toBe('it does not hold one JSON object');
  expect(jsonFault('// nothing')).toMatch(/not/);
});

it('adds and removes members anywhere without other changes', () => {
  const indent = fc.constantFrom(undefined, 1, 2, 4, '\t');
  const eol = fc.constantFrom('\n', '\r\n');
  const documents = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(documents, indent, eol, fc.boolean(), (document, space, end, list) => {
      const content = JSON.parse(JSON.stringify(document)) as Record<string, JsonValue>;
      const text = JSON.stringify(content, undefined, space).replaceAll('\n', end);
      const path = ['\u0000ours', 'lore'];
      const added = list ? appendValue(text, path, { args: ['a', { b: [] }] }) : setValue(text, path, { args: ['a', { b: [] }] });
      expect(jsonFault(added)).toBeUndefined();
      expect(removeValue(added, ['\u0000ours']).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      const names = Object.keys(content);
      for (const name of names) {
        const rest = Object.fromEntries(Object.entries(content).filter(([other]) => other !== name));
        expect(JSON.parse(removeValue(text, [name]))).toEqual(rest);
      }
    }),
  );
});
