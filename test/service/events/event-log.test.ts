import { describe, expect, it } from 'vitest';
import { EventBatch } from '../../../src/service/events/event-batch.ts';
import { EventLog, eventsAt } from '../../../src/service/events/event-log.ts';

/** Three entries, of which one came, one changed and one went. */
function batch(): EventBatch {
  const made = new EventBatch();
  made.add({ id: 'a', before: undefined, after: 'n' });
  made.add({ id: 'b', before: 'n', after: 'n' });
  made.add({ id: 'c', before: 'n', after: undefined });
  return made;
}

describe('the log of events', () => {
  it('resumes after any event of one moment', () => {
    const log = new EventLog();
    const first = batch();
    const events = eventsAt(log.add(first), first, undefined);
    const second = batch();
    const later = eventsAt(log.add(second), second, undefined);
    expect(events.map(({ type }) => type)).toEqual(['forgotten', 'changed', 'saved']);
    for (const [place, { id }] of events.entries()) {
      expect(log.since(id, undefined)).toEqual([...events.slice(place + 1), ...later, { id: expect.any(String), type: 'ready' }]);
    }
    expect(log.since(later.at(-1)!.id, undefined)).toMatchObject([{ type: 'ready' }]);
  });
});
