import { describe, expect, it } from 'vitest';
import { headingLevels, readBlocks, unixRange } from '../../web/src/parts/markdown-tokens.ts';

describe('the blocks of a Markdown text', () => {
  it('add up to the text, so that a passage can be located', () => {
    const text = '# One\n\ntwo\nlines\n\n- a\n- b\n\n```\ncode\n```\n\nend';
    expect(
      readBlocks(text)
        ?.map(({ raw }) => raw)
        .join(''),
    ).toBe(text);
    const range = unixRange('a\r\nb\r\nc', { start: 3, end: 7 });
    expect(range).toEqual([2, 5]);
    expect(unixRange('a\nb', { start: 2, end: 3 })).toEqual([2, 3]);
  });

  it('have headings without skipped levels', () => {
    const levels = (text: string): number[] => [...headingLevels(readBlocks(text) ?? [], 2).values()];
    expect(levels('# a\n\n## b\n\n# c\n\n### d')).toEqual([3, 4, 3, 4]);
    expect(levels('#### a\n\n## b\n\n#### c')).toEqual([3, 3, 4]);
    expect(levels('> ### in a quote\n\n- ## in a list')).toEqual([3, 3]);
    expect(levels('# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6')).toEqual([3, 4, 5, 6, 6, 6]);
  });

  it('are plain text if parsing would take too long', () => {
    const paragraph = 'a*'.repeat(20_000);
    const [block] = readBlocks(paragraph) ?? [];
    expect((block as { tokens?: readonly object[] }).tokens).toEqual([{ type: 'text', raw: paragraph, text: paragraph }]);
  });

  it('are plain text if nested too deeply', () => {
    expect(readBlocks('>'.repeat(20_000))).toBeUndefined();
  });
});
