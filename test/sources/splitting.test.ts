import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFile } from '../../src/sources/splitting/splitting.ts';

const SIZE = 500;
const split = (path: string, text: string, size = SIZE, overlap = 100) => splitFile(path, text, { size, overlap });
const headings = (path: string, text: string, size?: number) => split(path, text, size).map(({ heading }) => heading);
const filler = (lines: number, indent = '  ') =>
  Array.from({ length: lines }, (_, at) => `${indent}statement(${at}, 'something to say');`).join('\n');

describe('code', () => {
  it('is split at definitions, each with its comment', () => {
    const text = [
      `import { a } from './a.ts';`,
      '',
      '/** Adds. */',
      'export function add(): void {',
      filler(8),
      '}',
      '',
      '// Takes away.',
      'export const subtract = (): void => {',
      filler(8),
      '};',
    ].join('\n');
    const passages = split('src/sum.ts', text);
    expect(passages.map(({ start, end, heading }) => [start, end, heading])).toEqual([
      [1, 13, 'add'],
      [15, 25, 'subtract'],
    ]);
    expect(passages[1]?.content.startsWith('// Takes away.\nexport const subtract')).toBe(true);
    expect(passages[0]?.tags).toEqual(['typescript']);
  });

  it('with a long definition is split at its inner definitions, which name the outer one', () => {
    const text = [
      'export class Store {',
      '  readonly name = 1;',
      '',
      '  open(): void {',
      filler(8, '    '),
      '  }',
      '',
      '  close(): void {',
      filler(8, '    '),
      '  }',
      '}',
    ].join('\n');
    const passages = split('store.ts', text);
    expect(passages.map(({ heading }) => heading)).toEqual(['Store', 'Store > open', 'Store > close']);
    expect(passages[1]?.content.startsWith('Store\n  open(): void {')).toBe(true);
  });

  it('with a long definition without inner ones is cut between lines, and each part names it', () => {
    const text = ['def work():', filler(40, '    ')].join('\n');
    const passages = split('work.py', text);
    expect(passages.length).toBeGreaterThan(3);
    expect(passages.every(({ content }) => content.length <= SIZE)).toBe(true);
    expect(passages.slice(1).every(({ content }) => content.startsWith('work\n'))).toBe(true);
    expect(new Set(passages.map(({ heading }) => heading))).toEqual(new Set(['work']));
  });

  it('keeps small neighbours together', () => {
    const passages = split('a.ts', 'export type A = 1;\nexport type B = 2;\n\nexport type C = 3;\n');
    expect(passages).toHaveLength(1);
    expect(passages[0]).toMatchObject({ start: 1, end: 4, heading: 'A, B, C' });
  });

  it.each([
    ['a.py', '@cached\nasync def load(\n    path,\n) -> str:\n    return path\n', 'load'],
    ['a.go', 'func (s *Server) Start() error {\n\treturn nil\n}\n', 'Server.Start'],
    ['a.rs', 'pub(crate) async fn run<T>() -> T {\n    todo!()\n}\n', 'run'],
    ['a.rs', 'impl<T> Display for Wrapper<T> {\n}\n', 'Display for Wrapper<T>'],
    ['A.java', 'public final class App extends Base {\n}\n', 'App'],
    ['a.cs', 'internal static class Tools\n{\n}\n', 'Tools'],
    ['a.kt', 'suspend fun load(): Int {\n}\n', 'load'],
    ['a.rb', 'def save!\n  x\nend\n', 'save!'],
    ['a.php', 'abstract class Repo\n{\n}\n', 'Repo'],
    ['a.swift', 'public struct Point: Codable {\n}\n', 'Point'],
    ['a.c', 'static int parse(const char *text, size_t n)\n{\n  return 0;\n}\n', 'parse'],
    ['a.cpp', 'template <typename T>\nstd::vector<T> Queue::drain() {\n}\n', 'Queue::drain'],
    ['a.sh', 'deploy() {\n  echo x\n}\n', 'deploy'],
    ['a.lua', 'local function init()\nend\n', 'init'],
    ['a.ex', 'defmodule App.Repo do\nend\n', 'App.Repo'],
    ['a.sql', 'CREATE TABLE IF NOT EXISTS users (\n  id int\n);\n', 'users'],
    ['a.tf', 'resource "aws_instance" "web" {\n}\n', '"aws_instance" "web"'],
    ['a.toml', '[tool.black]\nline-length = 100\n', 'tool.black'],
    ['ci.yml', 'jobs:\n- build\n', 'jobs'],
    ['Makefile', 'build: src\n\tgo build\n', 'build'],
    ['a.proto', 'message User {\n}\n', 'User'],
    ['a.css', '.card > a {\n  color: red;\n}\n', '.card > a'],
    ['a.ts', `describe('the store', () => {\n  it('opens', () => {});\n});\n`, 'the store'],
  ])('names the definitions in %s', (path, text, name) => {
    const [first] = split(path, text);
    expect([first?.heading, first?.start]).toEqual([name, 1]);
  });

  it('ends a definition where its indentation ends', () => {
    const text = `function a() {\n${filler(12)}\n}\n\nrun();\n${Array.from({ length: 14 }, (_, at) => `more(${at}, 'and more still');`).join('\n')}\n`;
    expect(headings('a.js', text)).toEqual(['a', undefined]);
  });

  it('treats a section of a configuration file as one part', () => {
    const section = (name: string) =>
      [`[${name}]`, ...Array.from({ length: 12 }, (_, at) => `key_${at} = "a value of ${name}"`)].join('\n');
    expect(headings('a.toml', `${section('one')}\n\n${section('two')}`)).toEqual(['one', 'two']);
  });
});

describe('Markdown', () => {
  it('is split at headings, and each passage has its headings', () => {
    const passages = split(
      'guide.md',
      '# Guide\n\nWelcome.\n\n## Deploying\n\n### Rolling back\n\nPress the button.\n\nTitle\n=====\n\nEnd.\n',
    );
    expect(passages.map(({ content, heading, start, end }) => ({ content, heading, start, end }))).toEqual([
      { content: 'Guide\n\nWelcome.', heading: 'Guide', start: 1, end: 3 },
      { content: 'Guide > Deploying > Rolling back\n\nPress the button.', heading: 'Guide > Deploying > Rolling back', start: 7, end: 9 },
      { content: 'Title\n\nEnd.', heading: 'Title', start: 11, end: 14 },
    ]);
  });

  it('ignores headings inside code blocks and front matter', () => {
    const text = '---\ntitle: x\n# not one\n---\n\n```sh\n# a comment\n```\n\n# Real\n\ntext\n';
    expect(headings('a.md', text)).toEqual([undefined, 'Real']);
  });

  it('with a long section is cut at paragraphs, and every part has the heading', () => {
    const text = `# Long\n\n${Array.from({ length: 30 }, (_, at) => `Paragraph ${at} has a few words to say.`).join('\n\n')}\n`;
    const passages = split('a.md', text);
    expect(passages.length).toBeGreaterThan(2);
    expect(passages.every(({ content }) => content.startsWith('Long\n\n') && content.length <= SIZE)).toBe(true);
  });
});

describe('reStructuredText', () => {
  it('is split at headings, underlined or overlined', () => {
    const text =
      '=====\nGuide\n=====\n\nAll of it.\n\nStart\n-----\n\nBegin here.\n\nFaster\n~~~~~~\n\nWith a cache.\n\nEnd\n---\n\nLeave.\n';
    expect(split('guide.rst', text).map(({ heading, start, end }) => [heading, start, end])).toEqual([
      ['Guide', 1, 5],
      ['Guide > Start', 7, 10],
      ['Guide > Start > Faster', 12, 15],
      ['Guide > End', 17, 20],
    ]);
  });
});

describe('a notebook', () => {
  it('is split at its cells, under its headings and without output', () => {
    const cell = (kind: string, source: string[]) => ({ cell_type: kind, metadata: {}, outputs: [{ text: 'noise' }], source });
    const cells = [
      cell('markdown', ['# Load\n', 'Reads it.']),
      cell('code', ['data = read()\n']),
      cell('markdown', ['# Plot']),
      cell('code', ['draw(data)']),
    ];
    const passages = split('a.ipynb', JSON.stringify({ cells, nbformat: 4 }, null, 1));
    expect(passages.map(({ heading, content }) => [heading, content])).toEqual([
      ['Load', '# Load\nReads it.\n\ndata = read()'],
      ['Plot', '# Plot\n\ndraw(data)'],
    ]);
    expect(passages[0]!.start).toBeLessThan(passages[1]!.start!);
    expect(split('a.ipynb', '{"cells": 1}')).toHaveLength(1);
  });
});

describe('other text', () => {
  it('is split at paragraphs, with their lines', () => {
    const text = Array.from({ length: 20 }, (_, at) => `Paragraph ${at} of a plain text, which has a few words more.`).join('\n\n');
    const passages = split('notes.txt', text);
    expect(passages[0]).toMatchObject({ start: 1, tags: ['text'] });
    expect(passages.at(-1)?.end).toBe(39);
    expect(passages.every(({ content }) => content.length <= SIZE)).toBe(true);
  });
});

it('counts lines with any line ends', () => {
  const text = '# A\n\none\n\n# B\n\ntwo\n';
  expect(split('a.md', text.replaceAll('\n', '\r\n'))).toEqual(split('a.md', text));
});

describe('any file content', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '}',
      '{',
      '  }',
      'function a() {',
      'class B {',
      '  method() {',
      '# Heading',
      '```',
      'def f():',
      '    x = 1',
      ')',
      'end',
      '  return',
      '* item',
    ),
    fc.string({ maxLength: 60 }),
    fc.string({ minLength: 300, maxLength: 900 }),
  );
  const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'));
  const path = fc.constantFrom(
    'a.ts',
    'a.py',
    'a.go',
    'a.rs',
    'A.java',
    'a.rb',
    'a.md',
    'a.txt',
    'a.yaml',
    'a.css',
    'a.json',
    'a.sql',
    'a.c',
  );

  it('has every line with text in a passage, within the limits and without invented lines', () => {
    fc.assert(
      fc.property(path, text, fc.integer({ min: 100, max: 600 }), (name, content, size) => {
        const passages = split(name, content, size, 40);
        const lines = content.replaceAll(/\r\n?/g, '\n').split('\n');
        const covered = new Set<number>();
        for (const { content: passage, start = 0, end = 0 } of passages) {
          expect(passage.length).toBeLessThanOrEqual(size);
          expect(start).toBeGreaterThanOrEqual(1);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(lines.length);
          for (let at = start; at <= end; at += 1) covered.add(at);
        }
        const isHeading = name === 'a.md';
        const missing = lines.flatMap((each, at) => (!/[\p{L}\p{N}]/u.test(each) || covered.has(at + 1) ? [] : [each]));
        expect(missing.filter((each) => !isHeading || !/^ {0,3}(?:#|=|-)/.test(each))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is scanned in linear time', () => {
    const bits = [
      'a ',
      'a.b<c>, ',
      '* & ',
      'a &* &* ',
      'a(',
      'a)',
      'public ',
      'impl ',
      'foo(() => ',
      'x',
      ' ',
      '#  ',
      '.a,',
      '^a ',
      'or replace ',
    ];
    const endings =
      'ts py go rs java kt cs dart swift php rb lua pl r c m zig fs ml hs erl clj sh ps1 sql css graphql proto tf yaml toml md txt'.split(
        ' ',
      );
    const worst = bits.map((bit) => `create # ${bit.repeat(20_000)}b\n${bit.repeat(390 / bit.length)}b`).join('\n');
    for (const ending of endings) expect(split(`a.${ending}`, worst).length).toBeGreaterThan(0);
  });

  it('is split deterministically', () => {
    fc.assert(
      fc.property(path, text, (name, content) => {
        expect(split(name, content)).toEqual(split(name, content));
      }),
      { numRuns: 20 },
    );
  });
});
