import { describe, expect, it } from 'vitest';
import { markerOf, partOf } from '../../web/src/save/near-marks.ts';

const marked = (text: string, hit: Parameters<typeof markerOf>[0]): string[] =>
  markerOf(hit)(text).flatMap((piece) => (piece.marked ? [piece.text] : []));

describe('marks in a near memory', () => {
  it('are on differing whole words, whatever is between them', () => {
    const differs = [{ here: '4', there: '5' }];
    expect(marked('At 15 and at 05:00, then at 5.', { differs })).toEqual(['5']);
    expect(marked('Kept for 30  minutes.', { differs: [{ here: '2 hours', there: '30 minutes' }] })).toEqual(['30  minutes']);
    expect(marked('It says (not) this.', { differs: [{ here: '', there: 'not' }] })).toEqual(['not']);
  });

  it('are on a repeated sentence, and none if nothing differs', () => {
    const text = 'First this. The API listens on *port* 8080, mostly.';
    expect(marked(text, { repeats: ['the API listens on port 8080.'] })).toEqual(['The API listens on *port* 8080']);
    expect(marked(text, { differs: [{ here: 'x', there: '' }] })).toEqual([]);
  });

  it('are in the shown part of a long memory', () => {
    const text = `${'Some words before it. '.repeat(40)}It starts at 05:00.`;
    const marker = markerOf({ differs: [{ here: '04:00', there: '05:00' }] });
    expect(partOf(text, marker, 200)).toMatch(/^… .*It starts at 05:00\.$/);
    expect(partOf('It starts at 05:00.', marker, 200)).toBe('It starts at 05:00.');
  });
});
