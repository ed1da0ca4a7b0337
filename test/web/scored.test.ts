import { describe, expect, it } from 'vitest';
import type { Hit } from '../../web/src/api/forms.ts';
import { bestPart, markerFor, speller } from '../../web/src/search/marker.ts';
import { lengthsOf, scoredOf, shownParts } from '../../web/src/search/scored.ts';

const hit = (fields: Omit<Hit, 'entry'>, content = ''): Hit => ({ entry: { content } as Hit['entry'], ...fields });

describe('the bar of a score', () => {
  it.each([
    [{ vector: 0.4, keyword: 0.6 }, 0.24, 0.36],
    [{ keyword: 0.9 }, 0, 0.6],
    [{ vector: 0.2 }, 0.6, 0],
  ])('splits the score by what the legs gave: %o', (scores, vector, keyword) => {
    const lengths = lengthsOf({ score: 0.6, scores });
    expect(lengths.vector).toBeCloseTo(vector, 6);
    expect(lengths.keyword).toBeCloseTo(keyword, 6);
  });

  it('is empty where no leg gave anything', () => {
    expect(lengthsOf({ score: 0, scores: {} })).toEqual({ vector: 0, keyword: 0 });
  });
});

describe('what a hit says of its score', () => {
  it('is nothing where it was only listed', () => {
    expect(scoredOf(hit({}))).toBeUndefined();
  });

  it('is shown from the largest part of its rank on, without what rounds to nothing', () => {
    const parts = { recency: 0.001, early: 0.2, doubled: -0.4, bm25: 0.9 };
    expect(shownParts({ rankValue: 0.7, parts, filters: [] })).toEqual([
      ['bm25', 0.9],
      ['doubled', -0.4],
      ['early', 0.2],
    ]);
  });
});

describe('the part of a text that a list shows', () => {
  const marker = markerFor('lighthouse');
  const content = `${'Gulls circle. '.repeat(60)}The lighthouse is white. ${'Boats come and go. '.repeat(60)}`;
  const passageOf = (text: string) => {
    const start = content.indexOf(text);
    return { text, start, end: start + text.length };
  };

  it('is the passage that the server found best, with marks where the text goes on', () => {
    expect(bestPart(hit({ passage: passageOf('The lighthouse is white.') }, content), marker)).toBe('… The lighthouse is white. …');
    expect(bestPart(hit({ passage: passageOf('Gulls circle.') }, content), marker)).toBe('Gulls circle. …');
  });

  it('begins near the first match where the passage is long', () => {
    const text = content.slice(300, 1200);
    const part = bestPart(hit({ passage: passageOf(text) }, content), marker);
    expect(part).toMatch(/^… .{0,80}lighthouse/);
    expect(part.length).toBeLessThan(500);
    expect(part.endsWith('…')).toBe(true);
  });

  it('begins near a match that three lines of the list would not reach', () => {
    const passage = { text: `${'gulls over the quay '.repeat(15)}and the lighthouse fails`, start: 900, end: 1224 };
    const part = bestPart(hit({ passage }, `${'x '.repeat(450)}${passage.text}`), markerFor('lighthouse'));
    expect(part.indexOf('lighthouse')).toBeLessThan(100);
  });

  it('is the excerpt of the page where the server named no passage', () => {
    expect(bestPart(hit({}, 'A short one'), marker)).toBe('A short one');
    expect(bestPart(hit({}, content), marker)).toContain('lighthouse');
  });
});

describe('the words that are marked', () => {
  it('are those of the question and those that the server matched by another way', () => {
    const marked = (text: string, also: string[]) =>
      markerFor(
        'k8s setup',
        also,
      )(text)
        .filter((piece) => piece.marked)
        .map((piece) => piece.text);
    expect(marked('The Kubernetes setup', [])).toEqual(['setup']);
    expect(marked('The Kubernetes setup', ['kubernet'])).toEqual(['Kubernetes', 'setup']);
  });
});

describe('a word that the server names by its stem', () => {
  it('is shown as the text spells it, and as it is where the text does not', () => {
    const spelled = speller('retry policy: Webhooks are retried');
    expect(['retri', 'webhook', 'kubernet'].map(spelled)).toEqual(['retry', 'webhooks', 'kubernet']);
  });
});
