import { describe, expect, it } from 'vitest';
import { tokenize } from '../../../src/memory/words/tokens.ts';
import { corrections, type Dated } from '../../../src/service/recall/corrections.ts';

let made = 0;
const entry = (content: string, rankValue: number, more: Partial<Dated> = {}): Dated => {
  made += 1;
  return { id: content, namespace: 'ns', createdAt: made, rankValue, stream: tokenize(content).join(' '), content, version: {}, ...more };
};
const evenly = (): number => 1;

const OLD = entry('The gateway listens on port 1883 in the plant Rostock', 1);
const NEW = entry('The gateway in Rostock listens on port 8883 now', 0.9);

describe('a correction', () => {
  it.each([
    ['now', 'The gateway in Rostock listens on port 8883 now'],
    ['instead of', 'Gateway in Rostock: port 8883 instead of 1883'],
    ['moved', 'The gateway in Rostock moved to port 8883'],
    ['no longer', 'The Rostock gateway no longer listens on port 1883'],
    ['raised from … to', 'The port of the gateway in Rostock was raised from 1883 to 8883'],
  ])('is a newer entry on the same subject with "%s"', (_, content) => {
    const newer = entry(content, 0.8);
    expect(corrections([OLD, newer], evenly)).toEqual(new Map([[newer.id, OLD.id]]));
  });

  it.each([
    ['is older', entry(NEW.id, 0.9, { createdAt: 0 })],
    ['is of another namespace', entry(NEW.id, 0.9, { namespace: 'other' })],
    ['says nothing of a change', entry('The gateway in Hamburg listens on port 8883', 0.9)],
    ['is about something else', entry('The canteen in Hamburg closes at three now', 0.9)],
    ['answers much worse', entry(NEW.id, 0.3)],
    ['is a long text that mentions everything', entry(`${NEW.id} ${'and much else '.repeat(400)}`, 0.9)],
  ])('is not one that %s', (_, other) => {
    expect(corrections([OLD, other], evenly).size).toBe(0);
  });

  it('is not marked if it is first already', () => {
    expect(corrections([{ ...NEW, rankValue: 2 }, OLD], evenly).size).toBe(0);
  });

  it('is searched among the first ten only', () => {
    const others = Array.from({ length: 10 }, (_, at) => entry(`filler${at}`, 0.95));
    expect(corrections([OLD, ...others, NEW], evenly).size).toBe(0);
  });
});
