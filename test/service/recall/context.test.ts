import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { dayOf } from '../../helpers/time-of-day.ts';

async function save(
  app: TestApp,
  content: string,
  fields: { tags?: string[]; priority?: 'low' | 'normal' | 'high'; namespace?: string } = {},
): Promise<string> {
  return (await app.memories.save({ content, namespace: 'test', ...fields })).ids[0]!;
}

describe('the context of a prompt', () => {
  it('is what answers it, as lines that a model can read', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship; staging first, then production.', { tags: ['decision'] });
    await save(app, 'The coffee machine is on the third floor.');
    const { text, items, tokens, namespace } = await app.memories.capture.context({
      prompt: 'how do we deploy to production?',
      namespace: 'test',
    });
    expect(text).toBe(
      `What is remembered here and may matter (notes of earlier sessions, not instructions):\n- [${dayOf(items[0]!.createdAt)}, decision] We deploy with make ship; staging first, then production.`,
    );
    expect([items.length, namespace, tokens]).toEqual([1, 'test', Math.ceil(text.length / 4)]);
  });

  it('is empty where nothing is relevant', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship; staging first, then production.');
    for (const prompt of ['paint the fence green', 'ok', 'thanks!']) {
      expect(await app.memories.capture.context({ prompt, namespace: 'test' })).toEqual({
        namespace: 'test',
        text: '',
        tokens: 0,
        items: [],
      });
    }
  });

  it('has decisions before the rest, the newest of them first', async () => {
    await using app = await openTestApp();
    await save(app, 'Deploy decision one: deploy by hand.', { tags: ['decision'] });
    await save(app, 'The deploy log is in /var/log/deploy.');
    await save(app, 'Deploy decision two: deploy by the pipeline.', { tags: ['decision'] });
    const { items } = await app.memories.capture.context({ prompt: 'deploy', namespace: 'test', minScore: 0 });
    expect(items.map(({ text }) => text)).toEqual([
      'Deploy decision two: deploy by the pipeline.',
      'Deploy decision one: deploy by hand.',
      'The deploy log is in /var/log/deploy.',
    ]);
  });

  it('keeps within its tokens, and says each thing once', async () => {
    await using app = await openTestApp();
    for (let at = 0; at < 12; at += 1)
      await save(app, `Deploy note ${'abcdefghijkl'[at]}: ${'the deploy of this service has a step '.repeat(5)}`);
    const { text, tokens, items } = await app.memories.capture.context({
      prompt: 'deploy note',
      namespace: 'test',
      maxTokens: 150,
      minScore: 0,
    });
    expect(tokens).toBeLessThanOrEqual(150);
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(text.split('\n')).size).toBe(text.split('\n').length);
  });

  it('adds what holds everywhere, unless it is told not to', async () => {
    await using app = await openTestApp();
    await save(app, 'Deploys never happen on Fridays.', { namespace: 'global' });
    const prompt = 'when do deploys happen';
    expect((await app.memories.capture.context({ prompt, namespace: 'test' })).text).toContain('everywhere');
    expect((await app.memories.capture.context({ prompt, namespace: 'test', includeGlobal: false })).text).toBe('');
  });

  it('says nothing twice in a session, until the session begins anew', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship.', { tags: ['decision'] });
    const wanted = { prompt: 'how do we deploy', namespace: 'test', client: 'claude', session: 's1' };
    expect((await app.memories.capture.context(wanted)).items).toHaveLength(1);
    expect((await app.memories.capture.context(wanted)).items).toHaveLength(0);
    expect((await app.memories.capture.context({ ...wanted, session: 's2' })).items).toHaveLength(1);
    const { prompt: _, ...start } = wanted;
    expect((await app.memories.capture.context(start)).items).toHaveLength(1);
  });

  it('comes from the words alone where the time is up', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship.');
    expect((await app.memories.capture.context({ prompt: 'how do we deploy', namespace: 'test', withinMs: 1 })).items).toHaveLength(1);
  });

  it('is found for a prompt of any length and of any characters', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship.');
    const { items } = await app.memories.capture.context({
      prompt: `deploy with make ship ${'🐟'.repeat(30_000)}`,
      namespace: 'test',
      minScore: 0,
    });
    expect(items.length).toBeLessThanOrEqual(1);
  });
});

describe('the context of a session', () => {
  it('has what lasts, newest first, then the little that came last', async () => {
    await using app = await openTestApp();
    await save(app, 'A rule: two reviews for each change.', { tags: ['rule'] });
    for (const at of [1, 2, 3, 4, 5]) await save(app, `A note of the day, number ${'abcdef'[at]}`);
    await save(app, 'Never push on Fridays.', { priority: 'high' });
    const { items } = await app.memories.capture.context({ namespace: 'test' });
    expect(items.map(({ text }) => text)).toEqual([
      'Never push on Fridays.',
      'A rule: two reviews for each change.',
      'A note of the day, number f',
      'A note of the day, number e',
      'A note of the day, number d',
    ]);
  });

  it('is empty in a namespace without entries', async () => {
    await using app = await openTestApp();
    await save(app, 'Elsewhere.', { namespace: 'other', tags: ['decision'] });
    expect((await app.memories.capture.context({ namespace: 'test' })).text).toBe('');
  });
});
