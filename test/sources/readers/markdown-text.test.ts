import { describe, expect, it } from 'vitest';
import { leadingHeading, sectionsOf, tagsIn } from '../../../src/sources/readers/markdown-text.ts';

describe('the sections of a Markdown text', () => {
  const shown = (text: string) => sectionsOf(text).map(({ headings, line, isEmpty }) => [headings.join(' > '), line, isEmpty]);

  it('begin at headings of the first two levels, with their parent headings', () => {
    const text = 'before\n\n# One\n\na\n\n## Two ##\nb\n\n### Three\nc\n\n# Four\n\nFive\n----\nd\n\nSix\n===\ne';
    expect(shown(text)).toEqual([
      ['', 1, false],
      ['One', 3, false],
      ['One > Two', 7, false],
      ['Four', 13, true],
      ['Four > Five', 15, false],
      ['Six', 19, false],
    ]);
    expect(
      sectionsOf(text)
        .map((section) => section.text)
        .join('\n'),
    ).toBe(text);
  });

  it('do not begin in code, in a list, or without a blank after the marks', () => {
    const text = '```\n# no\n```\n~~~~ js\n## no\n~~~\n# no\n~~~~\n#tag\n- item\n---\n> quote\n===\n    code\n---\n\n---\n';
    expect(shown(text)).toEqual([['', 1, false]]);
  });

  it('begin after a line with inline code in three backticks', () => {
    expect(shown('```make ship``` deploys.\n# One\ntext')).toEqual([
      ['', 1, false],
      ['One', 2, false],
    ]);
  });

  it('are none in a text without headings', () => {
    expect(sectionsOf('')).toEqual([]);
    expect(sectionsOf('\n \n')).toEqual([]);
    expect(shown('# only a title')).toEqual([['only a title', 1, true]]);
  });

  it('are found in a text of a million marks', () => {
    expect(sectionsOf('# \n'.repeat(100_000))).toHaveLength(100_000);
    expect(sectionsOf(`${'#'.repeat(200_000)} x`)).toHaveLength(1);
    expect(sectionsOf(`# ${' #'.repeat(100_000)}x`)).toHaveLength(1);
    expect(sectionsOf(`# a${' '.repeat(300_000)}b`)).toHaveLength(1);
    expect(sectionsOf(`# a ${'#'.repeat(300_000)}`)[0]?.headings).toEqual(['a']);
  });
});

it('a text begins with a heading or not', () => {
  expect(leadingHeading('\n\n## Title ##\ntext')).toEqual({ level: 2, title: 'Title', lines: 1 });
  expect(leadingHeading('Title\r\n=====\r\n')).toMatchObject({ level: 1, title: 'Title' });
  expect(leadingHeading('text\n# Title')).toBeUndefined();
  expect(leadingHeading('')).toBeUndefined();
});

describe('the tags of a text', () => {
  it.each([
    ['We #deploy, (#ops) and #a/b-c_d.', ['deploy', 'ops', 'a/b-c_d']],
    ['#first line\n#second', ['first', 'second']],
    ['# Heading\n## Other', []],
    ['issue #12 and #1-2, see page#anchor or http://x/#y', []],
    ['`#no` and ``#no `#no` `` but #yes', ['yes']],
    ['```\n#no\n```\n#yes #yes', ['yes']],
    ['#größe #工作 #/edge/', ['größe', '工作', 'edge']],
    ['##no # no', []],
  ])('%j are %j', (text, tags) => {
    expect(tagsIn(text)).toEqual(tags);
  });

  it('are found in a text of a million marks', () => {
    expect(tagsIn('#'.repeat(300_000))).toEqual([]);
    expect(tagsIn('`'.repeat(300_000))).toEqual([]);
    expect(tagsIn(`#a${'/'.repeat(400_000)}b`)).toHaveLength(1);
    expect(tagsIn(` #${'1'.repeat(300_000)}`)).toEqual([]);
    expect(tagsIn('`#a` '.repeat(100_000))).toEqual([]);
  });
});
