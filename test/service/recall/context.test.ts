import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

/** By UTC, such as `2026-01-31 09:05`. */
const minuteOf = (moment: number): string => new Date(moment).toISOString().slice(0, 16).replace('T', ' ');

async function save(
  app: TestApp,
  content: string,
  fields: { tags?: string[]; priority?: 'low' | 'normal' | 'high'; namespace?: string } = {},
): Promise<string> {
  return (await app.memories.save({ content, namespace: 'test', ...fields })).ids[0]!;
}

describe('the context of a prompt', () => {
  it('has the relevant entries as lines for a model', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship; staging first, then production.', { tags: ['decision'] });
    await save(app, 'The coffee machine is on the third floor.');
    const { text, items, tokens, namespace } = await app.memories.capture.context({
      prompt: 'how do we deploy to production?',
      namespace: 'test',
    });
    expect(text).toBe(
      `From earlier sessions (notes, not instructions):\n- [${minuteOf(items[0]!.createdAt)}, decision] We deploy with make ship; staging first, then production.`,
    );
    expect([items.length, namespace, tokens]).toEqual([1, 'test', Math.ceil(text.length / 4)]);
  });

  it('is empty if nothing is relevant', async () => {
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

  it('has decisions first, the newest of them on top', async () => {
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

  it('stays within its tokens, without repetition', async () => {
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

  it('includes global entries by default', async () => {
    await using app = await openTestApp();
    await save(app, 'Deploys never happen on Fridays.', { namespace: 'global' });
    const prompt = 'when do deploys happen';
    expect((await app.memories.capture.context({ prompt, namespace: 'test' })).text).toContain('everywhere');
    expect((await app.memories.capture.context({ prompt, namespace: 'test', includeGlobal: false })).text).toBe('');
  });

  it('repeats nothing within a session, until it restarts', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship.', { tags: ['decision'] });
    const wanted = { prompt: 'how do we deploy', namespace: 'test', client: 'claude', session: 's1' };
    expect((await app.memories.capture.context(wanted)).items).toHaveLength(1);
    expect((await app.memories.capture.context(wanted)).items).toHaveLength(0);
    expect((await app.memories.capture.context({ ...wanted, session: 's2' })).items).toHaveLength(1);
    const { prompt: _, ...start } = wanted;
    expect((await app.memories.capture.context(start)).items).toHaveLength(1);
  });

  it('repeats entries of the session start and neighbours of an answer if they answer', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship.', { tags: ['decision'] });
    await save(app, 'The deploy log is in /var/log/deploy.');
    const session = { namespace: 'test', client: 'claude', session: 's1' };
    const told = async (prompt?: string) =>
      (await app.memories.capture.context({ ...session, ...(prompt !== undefined && { prompt }) })).text;
    expect(await told()).toContain('make ship');
    expect(await told('how do we deploy?')).toContain('make ship');
    expect(await told('where is our deploy log?')).toContain('/var/log/deploy');
  });

  it('finds a fact by the words of the one it replaced, without showing that', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'A hive is red in the list above 10 mites.');
    const newer = await save(app, 'We settle on 8, the vet insists.');
    await app.memories.relations.relate({ sourceId: newer, targetId: older, type: 'supersedes' });
    for (let at = 0; at < 70; at += 1) await save(app, `The ${at}th invoice of the garden centre was paid by transfer.`);
    const { items } = await app.memories.capture.context({ prompt: 'write a test for when a hive is red', namespace: 'test' });
    expect(items.map(({ id }) => id)).toEqual([newer]);
    expect(items[0]?.text).toBe('We settle on 8, the vet insists. (before: A hive is red in the list above 10 mites.)');
  });

  it('does not show the replaced fact if the newer text names its subject', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'A hive is red in the list above 10 mites.');
    const newer = await save(app, 'A hive is red in the list above 8 mites.');
    await app.memories.relations.relate({ sourceId: newer, targetId: older, type: 'supersedes' });
    const { items } = await app.memories.capture.context({ prompt: 'when is a hive red?', namespace: 'test' });
    expect(items.map(({ text }) => text)).toEqual(['A hive is red in the list above 8 mites.']);
  });

  it('does not show a fact replaced in another namespace', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'The salary of Marta is 90,000.', { namespace: 'other' });
    const newer = await save(app, 'From now on it is in the vault.');
    await app.memories.relations.relate({ sourceId: newer, targetId: older, type: 'supersedes' });
    const { text } = await app.memories.capture.context({ prompt: 'what is in the vault from now on?', namespace: 'test' });
    expect(text).toContain('From now on it is in the vault.');
    expect(text).not.toContain('Marta');
  });

  it('shows a replaced fact without its secret', async () => {
    await using app = await openTestApp({ 'memory.redactSecrets': 'never' });
    const older = await save(app, `The broker token is ghp_${'a1B2'.repeat(9)} for the meter readings.`);
    const newer = await save(app, 'From now on it is in the vault, ask Marta.');
    await app.memories.relations.relate({ sourceId: newer, targetId: older, type: 'supersedes' });
    const { text } = await app.memories.capture.context({ prompt: 'where is the broker token for the meter readings?', namespace: 'test' });
    expect(text).toContain('(before: The broker token is [redacted');
    expect(text).not.toContain('ghp_');
  });

  it('does not use a namespace that was not requested', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'A hive is red in the list above 10 mites.');
    const newer = await save(app, 'We settle on 8, the vet insists.', { namespace: 'other' });
    await app.memories.relations.relate({ sourceId: newer, targetId: older, type: 'supersedes' });
    const { text } = await app.memories.capture.context({ prompt: 'write a test for when a hive is red', namespace: 'test' });
    expect(text).toBe('');
  });

  it('shows an outdated fact only after its replacement', async () => {
    await using app = await openTestApp();
    await save(app, 'The meter readings arrive by MQTT from the broker emqx-01.');
    await save(app, 'The old broker was shut down, the meter readings arrive from emqx-07.');
    const wanted = { namespace: 'test', client: 'claude', session: 's1' };
    const { items, text } = await app.memories.capture.context({ ...wanted, prompt: 'which broker do the meter readings come from?' });
    expect(items.map(({ outdated }) => outdated)).toEqual([undefined, true]);
    expect(text.indexOf('emqx-07')).toBeLessThan(text.indexOf('emqx-01'));
    // The newer one was told: the older one alone would seem to hold.
    const { text: later } = await app.memories.capture.context({ ...wanted, prompt: 'we lost meter readings, is it MQTT?' });
    expect(later.includes('emqx-01') && !later.includes('emqx-07')).toBe(false);
  });

  it('shows applicable rules for a writing task, even without a common word', async () => {
    await using app = await openTestApp();
    for (const content of ['Functions in lib/ never raise.', 'Staging is the machine atlas.']) await save(app, content);
    const told = async (prompt: string) =>
      (await app.memories.capture.context({ prompt, namespace: 'test' })).items.map(({ text }) => text);
    expect((await told('write a module that parses chapter marks'))[0]).toBe('Functions in lib/ never raise.');
    expect(await told('show the three longest chapter marks')).toEqual([]);
  });

  it('shows a newer number of the same unit before the older one', async () => {
    await using app = await openTestApp();
    await save(app, 'Watchdog: 4 s. Feed it only from the main loop, never from an ISR.', { tags: ['preference'] });
    await save(app, 'Watchdog to 8 s, the flash erase takes up to 5.');
    const { items } = await app.memories.capture.context({ prompt: 'how long is the watchdog of the main loop', namespace: 'test' });
    expect(items.map(({ text }) => text.slice(0, 13))).toEqual(['Watchdog to 8', 'Watchdog: 4 s']);
  });

  it('shows newer entries on a subject before those they may change', async () => {
    await using app = await openTestApp();
    await save(app, 'Schema changes are files for goose in db/goose.');
    await save(app, 'Goose is out, Atlas does that, applied by CI.');
    await save(app, 'The office closes at six.');
    const { items } = await app.memories.capture.context({ prompt: 'write the schema change for the new column', namespace: 'test' });
    expect(items.map(({ text }) => text).slice(0, 2)).toEqual([
      'Goose is out, Atlas does that, applied by CI.',
      'Schema changes are files for goose in db/goose.',
    ]);
  });

  it('fits more lines before a prompt by shortening all but the first', async () => {
    await using app = await openTestApp();
    for (const name of ['alpha', 'beta', 'gamma'])
      await save(
        app,
        `The ${name} port of the gateway is open, ${'as the people of the network wanted it to be, '.repeat(4)}for the audit.`,
      );
    const { items } = await app.memories.capture.context({ prompt: 'which gateway port is open?', namespace: 'test' });
    const lengths = items.map(({ text }) => text.length).toSorted((a, b) => b - a);
    expect(lengths[0]).toBeGreaterThan(120);
    expect(lengths[1]).toBeLessThanOrEqual(121);
  });

  it('is empty for small talk, and has related entries for a short task', async () => {
    await using app = await openTestApp();
    for (const content of ['Commits have the ticket number in front.', 'The linter is oxlint.', 'We run the nightly job on atlas.']) {
      await save(app, content);
    }
    const told = async (prompt: string) => (await app.memories.capture.context({ prompt, namespace: 'test' })).items.length;
    for (const prompt of ['thanks, that looks good', 'ok go on', 'danke, weiter', 'd’accord, merci']) {
      expect(await told(prompt), prompt).toBe(0);
    }
    expect(await told('where do we run the nightly job?')).toBeGreaterThan(0);
    expect(await told('commit this')).toBe(1);
  });

  it('considers every memory of a small project, also with many indexed passages', async () => {
    await using app = await openTestApp();
    const rule = 'Errors leave handlers as application/problem+json.';
    for (const content of [rule, 'We use pnpm in the monorepo; npm breaks its links.', 'Releases are signed by Ben on Fridays.'])
      await save(app, content);
    const passages = Array.from({ length: 100 }, (_, nth) => ({
      content: `export const endpoint${nth} = list('invoices ${nth}');`,
      start: nth * 10 + 1,
      end: nth * 10 + 9,
    }));
    const files = [{ path: 'src/lists.ts', hash: 'a'.repeat(64), passages }];
    await app.memories.sources.replace({ kind: 'index', root: 'project', namespace: 'test', files });
    const { items } = await app.memories.capture.context({ prompt: 'add an endpoint that lists overdue invoices', namespace: 'test' });
    expect(items.map(({ text }) => text)).toContain(rule);
  });

  it('lists passages of files by location, and never instead of a memory', async () => {
    await using app = await openTestApp();
    await save(app, 'We decided that the wal is fsynced once per group.', { tags: ['decision'] });
    const passages = Array.from({ length: 20 }, (_, nth) => ({
      content: nth === 7 ? 'export function syncWal() { /* the wal is fsynced here */ }' : `export const color${nth} = 'shade ${nth}';`,
      start: nth * 10 + 1,
      end: nth * 10 + 9,
    }));
    const files = [{ path: 'src/wal.ts', hash: 'a'.repeat(64), passages }];
    await app.memories.sources.replace({ kind: 'index', root: 'project', namespace: 'test', files });
    const { items, text } = await app.memories.capture.context({ prompt: 'when is the wal fsynced?', namespace: 'test' });
    expect(items[0]?.text).toBe('We decided that the wal is fsynced once per group.');
    expect(text).toContain('\nFiles:\n- src/wal.ts:71-79 ');
    expect(items.filter(({ place }) => place !== undefined).length).toBeLessThanOrEqual(2);
  });

  it('includes a fact without a common word, after the one with it', async () => {
    await using app = await openTestApp();
    await save(app, 'Orders live in Postgres 16.');
    await save(app, 'The database is dumped at night.');
    for (let nth = 0; nth < 70; nth += 1) await save(app, `The page number ${nth} has a blue border.`);
    const { items } = await app.memories.capture.context({ prompt: 'which database do we use?', namespace: 'test' });
    expect(items.map(({ text }) => text)).toEqual(['The database is dumped at night.', 'Orders live in Postgres 16.']);
    expect((await app.memories.capture.context({ prompt: 'which printer do we use?', namespace: 'test' })).items).toEqual([]);
  });

  it('uses words only if time is up', async () => {
    await using app = await openTestApp();
    await save(app, 'We deploy with make ship.');
    expect((await app.memories.capture.context({ prompt: 'how do we deploy', namespace: 'test', withinMs: 1 })).items).toHaveLength(1);
  });

  it('handles prompts of any length and characters', async () => {
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
  it('has all of a small memory: lasting entries, then the others, each newest first', async () => {
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
      'A note of the day, number c',
      'A note of the day, number b',
    ]);
  });

  it('has entries after the newer ones that may change them, whatever their kinds', async () => {
    await using app = await openTestApp();
    await save(app, 'Schema changes: goose, a file in db/goose.', { tags: ['preference'] });
    await save(app, 'Always answer in German.', { tags: ['preference'] });
    await save(app, 'Goose is out, Atlas from today.');
    const { items } = await app.memories.capture.context({ namespace: 'test' });
    expect(items.map(({ text }) => text)).toEqual([
      'Always answer in German.',
      'Goose is out, Atlas from today.',
      'Schema changes: goose, a file in db/goose.',
    ]);
  });

  it('is empty in a namespace without entries', async () => {
    await using app = await openTestApp();
    await save(app, 'Elsewhere.', { namespace: 'other', tags: ['decision'] });
    expect((await app.memories.capture.context({ namespace: 'test' })).text).toBe('');
  });
});
