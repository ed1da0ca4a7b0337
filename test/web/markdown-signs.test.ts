import { describe, expect, it } from 'vitest';
import { looksLikeMarkdown } from '../../web/src/parts/markdown-signs.ts';

describe('a text', () => {
  it.each([
    ['a heading on its own', '# Plan\n\nwe go'],
    ['a fence', 'run\n```sh\nmake ship\n```'],
    ['two items', 'todo:\n- one\n- two'],
    ['two numbered items', '1. one\n2. two'],
    ['bold words', 'this is **important** here'],
    ['code in a line', 'use `make ship` for it'],
    ['a link', 'see [the book](https://example.com/b)'],
    ['a quote', '> they said\n\nand so on'],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['code in a fence among more code', '```\nlet a;\nlet b;\n```'],
  ])('with %s is Markdown', (_, text) => {
    expect(looksLikeMarkdown(text)).toBe(true);
  });

  it.each([
    ['a sentence', 'The spare key is with Ana'],
    ['lines of a note', 'First\n  second, indented\n\nthird'],
    ['bare code', 'fn main() {\n    push(event);\n\n\tdone();\n}'],
    ['a script with comments', '# install it\nnpm ci\n# and run\nnpm start'],
    ['code with a template in it', 'const a = `x`;\nconst b = 2;\nreturn a;'],
    ['a sum', '2 * 3 * 4 = 24'],
    ['one dash', '- only this'],
    ['names with lines under them', 'snake_case and __init__ and a*b'],
    ['HTML', '<b>bold</b> <script>alert(1)</script>'],
  ])('that is %s is not', (_, text) => {
    expect(looksLikeMarkdown(text)).toBe(false);
  });

  it.each([
    ['ten thousand quotes in one another', `${'> '.repeat(10_000)}deep`],
    ['a line of signs', '>'.repeat(50_000)],
    ['lists in one another', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n')],
    ['a list that begins with lists', `${'- '.repeat(500)}a\n- b`],
    ['more than is read', `# Title\n\n${'word '.repeat(20_000)}`],
  ])('of %s is shown as written', (_, text) => {
    expect(looksLikeMarkdown(text)).toBe(false);
  });

  it('is parsed in linear time, however its characters repeat', () => {
    for (let nth = 0; nth < 1000; nth += 1) expect(looksLikeMarkdown(`a|b\n${'-'.repeat(59_000)}x|${nth}`)).toBe(false);
  });
});
