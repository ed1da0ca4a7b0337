import { describe, expect, it } from 'vitest';
import { oneLine, plainText, titleOf } from '../../web/src/parts/plain-text.ts';

describe('a memory in one line', () => {
  it('keeps every character of plain text', () => {
    for (const text of ['The `__init__` of 2 * 3 * 4 and a_b_c', 'if x > 3: use __all__', '#hashtag first', 'a * b * c'])
      expect(oneLine(text)).toBe(text);
  });

  it('drops Markdown characters, and separates headings and items', () => {
    expect(oneLine('# Runbook\n\n**Stop** the *worker*, see [docs](https://docs.example).\n\n- one\n- two')).toBe(
      'Runbook · Stop the worker, see docs. · one · two',
    );
  });

  it('escapes bidirectional control characters one by one', () => {
    const written = 'invoice\u202efdp.exe \u2066and on\u2069';
    expect(oneLine(written)).toBe('invoice␦fdp.exe ␦and on␦');
    expect(titleOf({ content: written })).toHaveLength(written.length);
    expect(oneLine('שלום עולם')).toBe('שלום עולם');
  });

  it('keeps code between backticks, without them in a title', () => {
    expect(oneLine('Run `make ship` now')).toBe('Run `make ship` now');
    expect(titleOf({ content: 'Run `make ship` now' })).toBe('Run make ship now');
  });

  it('is the content of a fence, also if lines were joined before', () => {
    expect(plainText('```js\nconst a = 1;\n```')).toBe('const a = 1;');
    expect(oneLine('```js const a = 1; ```')).toContain('const a = 1;');
    expect(titleOf({ content: '# Runbook: events do not arrive' })).toBe('Runbook: events do not arrive');
  });

  it('is the summary if there is one', () => {
    expect(titleOf({ content: 'long', metadata: { summary: 'short' } })).toBe('short');
    expect(titleOf({ content: 'long', metadata: {} })).toBe('long');
  });

  it('is cut at the given length between characters', () => {
    expect(oneLine('abc def', 4)).toBe('abc…');
    expect(oneLine('ab😀', 3)).toBe('ab…');
  });

  it('has that length also after dropped characters, with an ellipsis', () => {
    expect(oneLine(`${' '.repeat(500)}one two three`, 7)).toBe('one two…');
    expect(oneLine(`# A\n\n${'\n'.repeat(500)}one two three`, 9)).toBe('A · one t…');
    const link = `[the plan](https://plans.example/${'x'.repeat(600)})`;
    expect(oneLine(`# Rollout\n\nRead ${link} and then ${link} before anything else`, 40)).toBe(
      'Rollout · Read the plan and then the pla…',
    );
    expect(oneLine(`# Rollout\n\nRead ${link}`, 40)).toBe('Rollout · Read the plan');
  });

  it('ends at the end of the text, even inside markup', () => {
    expect(oneLine('# Rollout\n\nRead [the plan](https://', 40)).toBe('Rollout · Read [the plan](https://');
  });
});
