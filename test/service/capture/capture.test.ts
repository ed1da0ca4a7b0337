import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import type { CaptureRequest } from '../../../src/memory/operations/capture-operations.ts';
import type { Entry } from '../../../src/memory/entry.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import type { Capture } from '../../../src/service/capture/capture.ts';
import { openTestApp, testConfig, type TestApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const DECISION = 'We decided to use Postgres instead of MySQL for the orders service.';

/** The worker does not look within a test. */
const SELDOM = { 'capture.workerIntervalMs': 60_000 };

const captureOf = ({ memories }: { readonly memories: MemoryOperations }): Capture => memories.capture as Capture;
const entriesOf = async ({ memories }: { readonly memories: MemoryOperations }, namespace = 'test'): Promise<readonly Entry[]> =>
  (await memories.list({ namespace, limit: 100 })).entries;

let told = 0;
function event(fields: Partial<CaptureRequest> = {}): CaptureRequest {
  told += 1;
  return { client: 'claude', session: 's1', event: 'prompt', namespace: 'test', at: 1_750_000_000_000 + told * 1000, ...fields };
}
const command = (input: string, output: string, more: Partial<CaptureRequest> = {}): CaptureRequest =>
  event({ event: 'tool', tool: 'Bash', input, output, ...more });

/** Oldest first. Unlike a list, an export is not given out to anybody who would quote it. */
async function exported({ memories }: TestApp): Promise<{ id: string; content: string }[]> {
  const found: { id: string; content: string }[] = [];
  for await (const line of memories.export({ namespace: 'test' }))
    if ('content' in line) found.push({ id: line.id, content: line.content });
  return found;
}

/** What became of one event: the entries, oldest first, and why nothing came of it. */
async function tell(app: TestApp, ...events: readonly CaptureRequest[]): Promise<{ contents: string[]; reasons: Record<string, number> }> {
  const before = new Set((await exported(app)).map(({ id }) => id));
  const counted = await app.memories.capture.stats({});
  for (const each of events) expect(await app.memories.capture.accept(each)).toEqual({ accepted: true });
  await captureOf(app).drain();
  const after = await app.memories.capture.stats({});
  const reasons = Object.entries(after.byReason).flatMap(([reason, count]) => {
    const more = count - counted.byReason[reason as keyof typeof counted.byReason];
    return more > 0 ? [[reason, more] as const] : [];
  });
  const made = (await exported(app)).filter(({ id }) => !before.has(id));
  return { contents: made.map(({ content }) => content), reasons: Object.fromEntries(reasons) };
}

describe('a captured entry', () => {
  it('has the statement and its origin', async () => {
    await using app = await openTestApp();
    await tell(app, event({ text: `${DECISION}\nNow fix the tests.`, cwd: '/srv/shop' }));
    const [entry] = await entriesOf(app);
    expect(entry).toMatchObject({
      content: DECISION,
      source: 'auto-capture',
      tags: ['auto-capture', 'decision'],
      namespace: 'test',
      container: 'test',
      sourceRef: { client: 'claude', session: 's1', event: 'prompt', cwd: '/srv/shop' },
    });
    expect((await app.memories.recall({ query: 'which database for orders', namespace: 'test' })).results).toHaveLength(1);
  });

  it('has the configured tag, and is cut at the maximum length', async () => {
    await using app = await openTestApp({ 'capture.sourceTag': 'heard', 'capture.maxContentLength': 40 });
    await tell(app, event({ text: DECISION }));
    const [entry] = await entriesOf(app);
    expect(entry?.tags).toEqual(['heard', 'decision']);
    expect(entry?.content).toBe('We decided to use Postgres instead of…');
  });

  it('goes to the namespace of the working folder of the client', async () => {
    await using app = await openTestApp();
    const folder = path.join(app.folder, 'clone');
    await mkdir(path.join(folder, '.git'), { recursive: true });
    await writeFile(path.join(folder, '.git', 'config'), '[remote "origin"]\n  url = git@example.com:acme/shop.git\n');
    const { namespace: _, ...elsewhere } = event({ text: DECISION, cwd: folder });
    await tell(app, elsewhere);
    expect((await entriesOf(app, 'acme/shop')).map(({ content }) => content)).toEqual([DECISION]);
  });

  it('can be a fixed failure with its fix', async () => {
    await using app = await openTestApp();
    const { contents } = await tell(
      app,
      command('npm test', "FAIL a.test.ts\nError: Cannot find module 'zod'\nTests: 1 failed"),
      command('npm install --no-save zod', 'added 1 package'),
      event({ event: 'tool', tool: 'Edit', input: '/srv/shop/load.ts', output: 'updated' }),
      command('npm test', 'Tests: 12 passed, 12 total'),
    );
    expect(contents.at(-1)).toBe(
      "`npm test` went through after `npm install --no-save zod`, editing load.ts. Before, it failed: Error: Cannot find module 'zod' / Tests: 1 failed",
    );
  });

  it('names the files of a patch as the fix, without failed edits', async () => {
    await using app = await openTestApp();
    const edit = (tool: string, input: string, failed?: boolean): CaptureRequest =>
      event({ event: 'tool', tool, input, output: 'done', ...(failed !== undefined && { failed }) });
    const { contents } = await tell(
      app,
      command('make', 'Chunk ID: 1\nProcess exited with code 2\nFinal output:\nld: symbol missing', { failed: true }),
      edit('Write', '/nowhere/lost.c', true),
      edit('apply_patch', '*** Begin Patch\n*** Update File: src/main.c\n@@\n-a / b\n+c\n*** Add File: src/sum.c\n+d\n*** End Patch'),
      command('make', 'linked'),
    );
    expect(contents.at(-1)).toBe('`make` went through after editing main.c, editing sum.c. Before, it failed: ld: symbol missing');
  });
});

describe('a statement that needs its dialog', () => {
  it('is captured as the corrected sentence if a person only gives the value', async () => {
    await using app = await openTestApp();
    await tell(app, event({ text: 'The API listens on 3000 in dev.' }));
    const { contents } = await tell(app, event({ text: 'wait no, should be 8080, not 3000' }));
    expect(contents).toEqual(['Correction: The API listens on 8080 in dev, not 3000.']);
  });

  it('is captured with the question if a person chooses, but not for mere agreement', async () => {
    await using app = await openTestApp();
    const question = 'Should I store the thumbnails in the database or on disk?';
    const agreed = await tell(app, event({ event: 'response', text: question }), event({ text: 'yes, exactly. please go on' }));
    expect(agreed.contents).toEqual([]);
    const chosen = await tell(app, event({ event: 'response', text: `Ok. ${question}` }), event({ text: 'On disk, under var/thumbs.' }));
    expect(chosen.contents).toEqual([`${question} On disk, under var/thumbs.`]);
  });

  it('can be an agreed proposal with additions, without work steps', async () => {
    await using app = await openTestApp();
    const after = async (answer: string, words: string, asked = 'Write it down somewhere'): Promise<string[]> =>
      (await tell(app, event({ text: asked }), event({ event: 'response', text: answer }), event({ text: words }))).contents;
    const proposal = 'I would keep the thumbnails on disk, in one folder for each month. A database would grow too fast.';
    expect(await after(`${proposal} Shall I?`, 'yes do it like that')).toEqual([`Agreed: ${proposal}`]);
    expect(await after('I suggest a nightly job for the mails.', 'ok, but not on sundays')).toEqual([
      'Agreed: I suggest a nightly job for the mails. ok, but not on sundays',
    ]);
    expect(await after('Ich würde die Bilder nach Monat ablegen. Soll ich?', 'Ja, gern')).toEqual([
      'Einverstanden: Ich würde die Bilder nach Monat ablegen.',
    ]);
    expect(await after('A ring buffer of 64 entries.', 'good point do that', 'How do we hold the samples?')).toEqual([
      'Agreed: A ring buffer of 64 entries.',
    ]);
    expect(await after('I would run the tests once more. Shall I?', 'yes please do')).toEqual([]);
    expect(await after('I would use a queue for the exports.', 'hm, what is a queue?')).toEqual([]);
  });

  it('describes a fix in the words of the following answer, and the effect of a change', async () => {
    await using app = await openTestApp();
    const { contents } = await tell(
      app,
      command('make soak', 'soak: bus BUSY after 7188 s\nmake: *** [soak] Error 2', { failed: true }),
      event({ event: 'tool', tool: 'Edit', input: '/srv/node/bus.c', output: 'updated' }),
      command('make soak', 'soak: 21600 s, 0 errors'),
      event({
        event: 'response',
        text: 'The sensor kept the line low after a brown-out. Nine pulses before init release the bus. Anything else?',
      }),
    );
    expect(contents.at(-1)).toBe('The sensor kept the line low after a brown-out. Nine pulses before init release the bus.');
    const measured = 'With 16 threads instead of 4 the whole build takes 14 minutes.';
    expect((await tell(app, event({ event: 'response', text: measured }))).contents).toEqual([measured]);
    expect((await tell(app, event({ event: 'response', text: 'The sensor of the other board is near the fan.' }))).contents).toEqual([]);
  });
});

describe('nothing is captured of', () => {
  const long = 'This is a sentence that says nothing of interest to anybody at all.';
  it.each<[string, string, CaptureRequest]>([
    ['a tool that is ignored', 'ignored tool', event({ event: 'tool', tool: 'read', output: DECISION })],
    ['what is too short', 'too short', event({ event: 'response', text: 'Done.' })],
    ['too much', 'too large', event({ event: 'tool', tool: 'Bash', oversized: true })],
    ['boilerplate', 'boilerplate', event({ text: `You are Claude, an agent. ${DECISION}` })],
    ['reminders', 'boilerplate', event({ text: `<system-reminder>${DECISION}</system-reminder>` })],
    ['a file', 'file dump', command('cat a.ts', Array.from({ length: 9 }, (_, at) => `const value${at} = compute(${at});`).join('\n'))],
    ['an edit', 'file dump', event({ event: 'tool', tool: 'Edit', input: 'a.ts', output: long })],
    ['a listing', 'listing', command('ls', Array.from({ length: 9 }, (_, at) => `./src/folder/file${at}.ts`).join('\n'))],
    ['progress', 'progress output', command('docker pull x', Array.from({ length: 9 }, (_, at) => `Downloading ${at}0%`).join('\n'))],
    ['bytes', 'binary', command('cat x.png', `\ufffd\ufffd\ufffd${'\ufffd'.repeat(60)}`)],
    ['tools of Lore', 'own output', event({ event: 'tool', tool: 'mcp__lore__memory_recall', output: DECISION })],
    ['commands of Lore', 'own output', command('lore recall "which database"', DECISION)],
    ['a password in plain words', 'secret only', event({ text: 'Always log in as admin, pass hunter2' })],
    ['a password in other words', 'secret only', event({ text: 'Remember: the password for the staging shop is hunter2.' })],
    ['a password in another language', 'secret only', event({ text: 'Merke: das Passwort der Datenbank lautet Kaffee2024' })],
    ['a secret alone', 'secret only', event({ text: 'Remember my token: ghp_abcdefghijklmnopqrstuvwxyz0123456789' })],
    ['a request', 'nothing to keep', event({ text: 'Fix the failing test in the orders service.' })],
    ['chatter', 'nothing to keep', event({ event: 'response', text: `Let me look at the tests. ${long}` })],
    ['a failure that nobody mended', 'nothing to keep', command('cargo build', `error: could not compile because of ${long}`)],
  ])('%s', async (_what, reason, given) => {
    await using app = await openTestApp();
    expect(await tell(app, given)).toEqual({ contents: [], reasons: { [reason]: 1 } });
  });

  it('anything while capture is off', async () => {
    await using app = await openTestApp({ 'capture.enabled': false });
    expect((await app.memories.capture.accept(event({ text: DECISION }))).accepted).toBe(false);
    expect((await app.memories.health()).autoCapture).toBe(false);
    expect((await app.memories.stats()).autoCapture).toBe(false);
  });

  it('known statements: repeated, reformatted, cut, in another session', async () => {
    await using app = await openTestApp();
    expect((await tell(app, event({ text: DECISION }))).contents).toHaveLength(1);
    expect(await tell(app, event({ text: DECISION }))).toEqual({ contents: [], reasons: { repeated: 1 } });
    for (const text of [DECISION.replaceAll(' ', '  '), 'We decided to use Postgres instead of MySQL…', DECISION.toUpperCase()])
      expect(await tell(app, event({ session: `s-${text.length}`, text }))).toEqual({ contents: [], reasons: { duplicate: 1 } });
  });

  it('text that a user saved, and that entry is unchanged', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: DECISION, namespace: 'test', tags: ['db'] });
    expect((await tell(app, event({ text: DECISION }))).reasons).toEqual({ duplicate: 1 });
    expect((await entriesOf(app)).map(({ tags, source }) => [tags, source])).toEqual([[['db'], 'api']]);
  });

  it('more than forty statements of one session in an hour, except corrections', async () => {
    await using app = await openTestApp();
    const events = Array.from({ length: 45 }, (_, at) =>
      event({ text: `We decided to call the ${['red', 'blue', 'green'][at % 3]} server ${'abcdefghijklmno'[at % 15]}${at} from now on.` }),
    );
    const { contents, reasons } = await tell(app, ...events);
    expect([contents.length, reasons]).toEqual([40, { 'rate cap': 5 }]);
    const correction = await tell(app, event({ text: 'The rate limit of the gateway is 60, not 100.' }));
    expect(correction.contents).toHaveLength(1);
    const later = event({ text: DECISION, at: 1_750_000_000_000 + 3 * 3_600_000 });
    expect((await tell(app, later)).contents).toEqual([DECISION]);
  });
});

describe('an event from a clock that is ahead', () => {
  it('counts as current', async () => {
    await using app = await openTestApp();
    const before = Date.now();
    await tell(app, event({ text: DECISION, at: 8_640_000_000_000_000 }));
    const [session] = await app.memories.capture.sessions({});
    expect(session!.lastAt).toBeGreaterThanOrEqual(before);
    expect(session!.lastAt).toBeLessThanOrEqual(Date.now());
  });
});

describe('a correction', () => {
  it('is stored next to the corrected entry, however alike they are', async () => {
    await using app = await openTestApp();
    const [old, changed] = ['Our staging database listens on port 5432 in the EU.', 'Our staging database listens on port 5433 in the EU.'];
    expect((await tell(app, event({ text: old }), event({ text: changed }))).contents).toEqual([old, changed]);
  });
});

describe('the loop guard', () => {
  const answer = 'The nightly export of invoices runs at 02:30 and is decided by finance every January for the whole year.';

  it.each([
    ['word for word', answer],
    ['quoted', `> ${answer}`],
    ['with other blanks', answer.replaceAll(' ', ' \n ')],
    ['cut', `${answer.slice(0, 60)}…`],
    ['introduced', `According to the memory: ${answer}`],
  ])('ignores what Lore returned, %s, also after it was deleted', async (_how, text) => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: answer, namespace: 'test' });
    expect((await app.memories.recall({ query: 'nightly export', namespace: 'test' })).results).toHaveLength(1);
    await app.memories.forget(ids[0]!);
    const { contents } = await tell(app, event({ event: 'response', text: `${text}\n` }), event({ text: `Decision: ${text}` }));
    expect(contents).toEqual([]);
    expect((await app.memories.capture.stats({})).kept).toBe(0);
  });

  it('captures new text next to it', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: answer, namespace: 'test' });
    await app.memories.recall({ query: 'nightly export', namespace: 'test' });
    const { contents } = await tell(app, event({ text: `${answer} We decided to move the imports to Fridays.` }));
    expect(contents).toEqual(['We decided to move the imports to Fridays.']);
  });

  it('includes injected context', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: answer, namespace: 'test', priority: 'high' });
    expect((await app.memories.capture.context({ namespace: 'test' })).text).toContain(answer);
    await app.memories.forget(ids[0]!);
    expect((await tell(app, event({ text: `We agreed: ${answer}` }))).contents).toEqual([]);
  });
});

describe('a personal preference', () => {
  const text = 'Always answer me in German, even when I write in English.';

  it('goes to the global namespace with a tag and its project, and is undone with its session', async () => {
    await using app = await openTestApp();
    await tell(app, event({ text: `${text}\nIn this repo we use tabs, not spaces.` }));
    expect((await entriesOf(app)).map(({ content }) => content)).toEqual(['In this repo we use tabs, not spaces.']);
    const [entry] = await entriesOf(app, 'global');
    expect(entry).toMatchObject({ content: text, container: 'global', tags: ['auto-capture', 'preference', 'personal'] });
    expect(entry?.sourceRef).toMatchObject({ session: 's1', project: 'test' });
    expect((await app.memories.list({ namespace: 'global', pending: true })).total).toBe(1);
    expect(await app.memories.capture.undo({ session: 's1' })).toMatchObject({ entries: 2 });
    expect(await entriesOf(app, 'global')).toEqual([]);
  });

  it('is found in another project, unless global entries are excluded', async () => {
    await using app = await openTestApp();
    await tell(app, event({ text }));
    const found = async (includeGlobal: boolean): Promise<number> =>
      (await app.memories.recall({ query: 'answer in German', namespace: 'other', includeGlobal })).results.length;
    expect([await found(true), await found(false)]).toEqual([1, 0]);
  });

  it('stays in the project if the event says so or the key is bound', async () => {
    await using app = await openTestApp();
    await tell(app, event({ text, global: false }));
    const bound = restrictTo(app.memories, { name: 'bound', access: 'full', namespace: 'mine' });
    const { namespace: _, ...elsewhere } = event({ text: 'Call me Sam, not Samuel.', global: true });
    await bound.capture.accept(elsewhere);
    await captureOf(app).drain();
    expect(await entriesOf(app, 'global')).toEqual([]);
    expect((await entriesOf(app)).map(({ content }) => content)).toEqual([text]);
    expect((await entriesOf(app, 'mine')).map(({ content }) => content)).toEqual(['Call me Sam, not Samuel.']);
  });
});

describe('secrets', () => {
  it('remove their sentence, and the rest is captured', async () => {
    await using app = await openTestApp();
    const { contents } = await tell(
      app,
      event({
        text: 'Deployments go through Jenkins, never by hand. The token for the registry is ghp_abcdefghijklmnopqrstuvwxyz0123456789.',
      }),
    );
    expect(contents).toEqual(['Deployments go through Jenkins, never by hand.']);
  });

  const secrets = [
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'AKIAIOSFODNN7ABCDEFG',
    'hunter2_Kx9vQ!rT',
    'MIIEpAIBAAKCAQEA7bq9Zc1QxkTw2Ld8',
  ];
  const texts = [
    `We decided that CI uses the token ${secrets[0]} until March.`,
    `Our deploy key on staging is ${secrets[1]} and belongs to Ana.`,
    `Remember: the staging database password is ${secrets[2]} since Monday.`,
    `Note the key of the gateway:\n-----BEGIN RSA PRIVATE KEY-----\n${secrets[3]}\n-----END RSA PRIVATE KEY-----\nWe decided to rotate it yearly.`,
  ];

  it('reach no byte of the data folder: neither queued events nor log nor store', async () => {
    await using app = await openTestApp({}, silentLog);
    for (const text of texts) {
      await app.memories.capture.accept(event({ text }));
      await app.memories.capture.accept(command('echo x', text, { event: 'tool' }));
    }
    expect(leaksIn(app.folder, secrets)).toEqual([]);
    await captureOf(app).drain();
    expect((await app.memories.capture.stats({})).byReason['secret only']).toBeGreaterThan(2);
    expect(JSON.stringify(await entriesOf(app))).not.toContain('[redacted: ');
    expect(leaksIn(app.folder, secrets)).toEqual([]);
    await app.close();
    expect(leaksIn(app.folder, secrets)).toEqual([]);
  });

  it('of unredacted events from another program stay out of the store, too', async () => {
    await using app = await openTestApp();
    const folder = path.join(app.folder, 'capture');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'store.jsonl'), `${JSON.stringify(event({ text: texts[0]! }))}\n`);
    await captureOf(app).drain();
    expect(await entriesOf(app)).toEqual([]);
    expect(leaksIn(path.join(app.folder, 'store'), secrets)).toEqual([]);
  });
});

function leaksIn(folder: string, secrets: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return secrets.some((secret) => bytes.includes(secret));
    });
}

describe('queued events', () => {
  it('are in a private file', async () => {
    await using app = await openTestApp(SELDOM);
    await app.memories.capture.accept(event({ text: DECISION }));
    const file = path.join(app.folder, 'capture', 'store.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await app.memories.capture.stats({})).waitingBytes).toBe(statSync(file).size);
  });

  it('are processed in the background', async () => {
    await using app = await openTestApp({ 'capture.workerIntervalMs': 100 });
    await app.memories.capture.accept(event({ text: DECISION }));
    await expect.poll(async () => (await entriesOf(app)).length, { timeout: 10_000 }).toBe(1);
  });

  it('are processed at the end of a turn, before the next session', async () => {
    await using app = await openTestApp(SELDOM);
    await app.memories.capture.accept(event({ text: DECISION }));
    await app.memories.capture.accept(event({ event: 'response', text: 'Done.' }));
    await expect.poll(async () => (await entriesOf(app)).length, { timeout: 10_000 }).toBe(1);
  });

  it('are processed before a session begins', async () => {
    await using app = await openTestApp(SELDOM);
    await app.memories.capture.accept(event({ text: DECISION, session: 'one' }));
    const { text } = await app.memories.capture.context({ client: 'claude', session: 'two', namespace: 'test' });
    expect(text).toContain(DECISION);
  });

  it('are processed after the store is opened, before the first prompt', async () => {
    await using folder = await temporaryFolder();
    mkdirSync(path.join(folder.path, 'capture'));
    appendFileSync(path.join(folder.path, 'capture', 'store.jsonl'), `\n${JSON.stringify(event({ text: DECISION, session: 'one' }))}\n`);
    const app = await openApp(testConfig(folder.path, SELDOM), { log: silentLog, cwd: folder.path });
    const asked = { client: 'claude', session: 'two', namespace: 'test', prompt: 'Which database does the orders service use?' };
    expect((await app.memories.capture.context(asked)).text).toContain(DECISION);
    await app.close();
  });

  it('are processed when the store is closed', async () => {
    await using folder = await temporaryFolder();
    const app = await openApp(testConfig(folder.path, SELDOM), { log: silentLog, cwd: folder.path });
    await app.memories.capture.accept(event({ text: DECISION }));
    await app.close();
    expect(existsSync(path.join(folder.path, 'capture', 'store.jsonl'))).toBe(false);
  });

  it('are processed by the next process, except torn lines', async () => {
    await using folder = await temporaryFolder();
    const loaded = testConfig(folder.path);
    mkdirSync(path.join(folder.path, 'capture'));
    const file = path.join(folder.path, 'capture', 'store.jsonl');
    appendFileSync(file, `\n${JSON.stringify(event({ text: DECISION }))}\n`);
    appendFileSync(file, '\n{"client":"claude","session":"s1","ev');
    appendFileSync(file, `\n${JSON.stringify(event({ text: 'We agreed to deploy on Tuesdays only, after the sync.' }))}\n`);
    appendFileSync(file, '\nnull\n\n[1]\n{"client":1}\n');
    appendFileSync(file, `\n${JSON.stringify(event({ text: 'From now on all logs are JSON lines.' })).slice(0, -3)}`);
    const app = await openApp(loaded, { log: silentLog, cwd: folder.path });
    await captureOf(app).drain();
    expect((await entriesOf(app)).map(({ content }) => content).toSorted()).toEqual([
      'We agreed to deploy on Tuesdays only, after the sync.',
      DECISION,
    ]);
    expect(existsSync(file)).toBe(false);
    await app.close();
  });

  it('are processed once, also after a restart, and counted', async () => {
    await using folder = await temporaryFolder();
    const loaded = testConfig(folder.path);
    const first = await openApp(loaded, { log: silentLog, cwd: folder.path });
    await first.memories.capture.accept(event({ text: DECISION, session: 'kept' }));
    await captureOf(first).drain();
    await first.memories.capture.context({ client: 'claude', namespace: 'test' });
    await first.close();
    const second = await openApp(loaded, { log: silentLog, cwd: folder.path });
    await captureOf(second).drain();
    const { kept, refused, byKind, contexts } = await second.memories.capture.stats({});
    expect([kept, refused, byKind.decision, contexts.given]).toEqual([1, 0, 1, 1]);
    expect(await second.memories.capture.sessions({})).toMatchObject([
      { session: 'kept', client: 'claude', namespace: 'test', kept: 1, refused: 0 },
    ]);
    await second.close();
  });

  it('are refused with a reason if too many are queued', async () => {
    await using app = await openTestApp(SELDOM);
    mkdirSync(path.join(app.folder, 'capture'));
    writeFileSync(path.join(app.folder, 'capture', 'store.jsonl'), Buffer.alloc(33 * 1024 * 1024));
    expect(await app.memories.capture.accept(event({ text: DECISION }))).toEqual({
      accepted: false,
      reason: 'Too many events are waiting.',
    });
  });
});

describe('undoing a session', () => {
  it('archives what it captured and drops its queued events, and nothing else', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'Saved by hand.', namespace: 'test' });
    await tell(app, event({ text: DECISION, session: 'a' }), event({ text: 'From now on all logs are JSON lines.', session: 'b' }));
    await app.memories.capture.accept(event({ text: 'We agreed to deploy on Tuesdays only.', session: 'a' }));
    expect(await app.memories.capture.undo({ session: 'a', dryRun: true })).toMatchObject({ entries: 2, dryRun: true });
    expect(await entriesOf(app)).toHaveLength(4);
    const { entries, run } = await app.memories.capture.undo({ session: 'a' });
    expect(entries).toBe(2);
    expect((await entriesOf(app)).map(({ content }) => content).toSorted()).toEqual([
      'From now on all logs are JSON lines.',
      'Saved by hand.',
    ]);
    expect((await app.memories.lifecycle.restore({ run: run! })).restored).toHaveLength(2);
    expect(await app.memories.capture.undo({ session: 'a', permanent: true })).toEqual({
      session: 'a',
      dryRun: false,
      permanent: true,
      entries: 2,
    });
    expect((await app.memories.lifecycle.archived({})).total).toBe(0);
    expect((await app.memories.capture.undo({ session: 'nobody' })).entries).toBe(0);
  });
});

describe('an edit of a value that a person just changed', () => {
  const edit = (before: string, after: string): CaptureRequest =>
    event({ event: 'tool', tool: 'Edit', input: '/srv/app/limits.ts', output: `-${before}\n+${after}` });
  const older = 'A hive turns red when more than 10 varroa mites fall per day.';
  const superseded = async (app: TestApp): Promise<string[]> =>
    (await entriesOf(app)).filter((entry) => entry.superseded === true).map(({ content }) => content);

  it('supersedes the older fact even if the newer one does not name it', async () => {
    await using app = await openTestApp(SELDOM);
    await app.memories.save({ content: older, namespace: 'test' });
    const { contents } = await tell(
      app,
      event({ text: 'our vet says that is too relaxed for mites in summer, we settle on 5 from now on' }),
    );
    expect(contents).toHaveLength(1);
    await tell(app, edit('const ALARM = 10;', 'const ALARM = 5;'));
    expect(await superseded(app)).toEqual([older]);
  });

  it.each([
    [
      'in words',
      'Everything goes out at minus sixteen LUFS from now on.',
      'for the loudness we settle on minus fourteen LUFS from now on',
      '-16',
      '-14',
    ],
    [
      'with its scale',
      'The uplink of the second satellite is at 2072.5 MHz.',
      'the office assigned 2074.0 MHz for the uplink',
      '2_072_500_000',
      '2_074_000_000',
    ],
    ['shortened', 'New episodes always come out on Wednesdays.', 'from now on new episodes come out on Tuesdays', '"wed"', '"tue"'],
  ])('supersedes a fact whose value the code writes %s', async (_, content, text, before, after) => {
    await using app = await openTestApp(SELDOM);
    await app.memories.save({ content, namespace: 'test' });
    await tell(app, event({ text }), edit(`value = ${before}`, `value = ${after}`));
    expect(await superseded(app)).toEqual([content]);
  });

  it.each([
    ['is of another value', edit('const WIDTH = 80;', 'const WIDTH = 120;')],
    ['failed', { ...edit('const ALARM = 10;', 'const ALARM = 5;'), failed: true }],
  ])('keeps the older fact if it %s', async (_, change) => {
    await using app = await openTestApp(SELDOM);
    await app.memories.save({ content: older, namespace: 'test' });
    await tell(app, event({ text: 'our vet says that is too relaxed for mites in summer, we settle on 5 from now on' }), change);
    expect(await superseded(app)).toEqual([]);
  });

  const answer = (text: string): CaptureRequest => event({ event: 'response', text });
  const contentsOf = async (app: TestApp): Promise<string[]> => (await entriesOf(app)).map(({ content }) => content);

  it('supersedes the statement whose edit this one replaces', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text: 'the node always sends every 10 minutes, that is our rule' }));
    await tell(app, edit('', 'const MINUTES = 10;'), answer('`MINUTES` is set.'));
    const [first] = await contentsOf(app);
    await tell(app, event({ session: 'b', text: 'the battery gave up, from now on we always send hourly' }));
    await tell(app, { ...edit('MINUTES = 10', 'MINUTES = 60'), session: 'b' });
    expect(await superseded(app)).toEqual([first]);
  });

  it('completes a bare value with what it changed', async () => {
    await using app = await openTestApp(SELDOM);
    const content = 'A torch burns 300 turns.';
    await app.memories.save({ content, namespace: 'test' });
    await tell(app, event({ text: 'play the first three floors' }), answer('It gets dark on floor 3: the torch burns out.'));
    await tell(app, event({ text: '450' }), edit('const TURNS = 300', 'const TURNS = 450'), answer('A torch burns 450 turns now.'));
    expect(await superseded(app)).toEqual([content]);
    expect(await contentsOf(app)).toContainEqual('450. A torch burns 450 turns now.');
  });

  it('keeps a fact if an edit in another file only has the same number', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text: 'the jingles are always normalised to -16 LUFS' }));
    await tell(app, { ...edit('', 'level = -16'), input: '/srv/app/jingles.ini' }, answer('Set.'));
    await tell(app, event({ session: 'b', text: 'from now on the studio goes out at -18' }));
    await tell(app, { ...edit('level = -16', 'level = -18'), input: '/srv/app/studio.ini', session: 'b' });
    expect(await superseded(app)).toEqual([]);
  });

  it('is recorded with the statement, by the path below the working folder', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text: 'the node always sends every 10 minutes, that is our rule' }));
    await tell(app, { ...edit('', 'const MINUTES = 10;'), cwd: '/srv/app/' }, answer('`MINUTES` is set.'));
    expect((await entriesOf(app))[0]?.sourceRef).toMatchObject({ edits: ['limits.ts: const minut 10'] });
  });

  it('keeps the older fact if the tool is ignored', async () => {
    await using app = await openTestApp({ ...SELDOM, 'capture.ignoredTools': ['edit'] });
    await app.memories.save({ content: older, namespace: 'test' });
    const text = 'our vet says that is too relaxed for mites in summer, we settle on 5 from now on';
    await tell(app, event({ text }), edit('const ALARM = 10;', 'const ALARM = 5;'));
    expect(await superseded(app)).toEqual([]);
  });
});

describe('an answer that confirms a statement', () => {
  const text = 'our vet says that is too relaxed in summer, we settle on 5 from now on';
  const answer = (words: string): CaptureRequest => event({ event: 'response', text: words });
  const confirmation = 'Hives with more than 5 mites a day are red in the list.';

  it('completes the entry, which stays in the inbox under its id', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text }));
    const [before] = await exported(app);
    const { contents } = await tell(app, answer(`${confirmation} The other lists are unchanged.`));
    expect(contents).toEqual([]);
    expect(await exported(app)).toEqual([{ id: before?.id, content: `${text}. ${confirmation}` }]);
    expect((await app.memories.list({ namespace: 'test', pending: true })).total).toBe(1);
    const { results } = await app.memories.recall({ query: 'when is a hive red', namespace: 'test' });
    expect(results.map(({ entry }) => entry.id)).toEqual([before?.id]);
  });

  it('completes it once', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text }), answer(confirmation), answer(`${confirmation} A bee with 5 legs is drawn as well.`));
    expect((await exported(app)).map(({ content }) => content)).toEqual([`${text}. ${confirmation}`]);
  });

  it.each([
    ['is of another turn', [event({ text }), event({ text: 'now run the tests please' }), answer(confirmation)]],
    ['names another value', [event({ text }), answer('Hives with more than 12 mites a day are red in the list.')]],
    ['has a secret', [event({ text }), answer(`The key for the 5 mites is ghp_${'a1B2'.repeat(9)} from now on here.`)]],
  ])('keeps the entry if it %s', async (_, events) => {
    await using app = await openTestApp(SELDOM);
    await tell(app, ...events);
    expect((await exported(app)).map(({ content }) => content)).toContain(text);
  });

  it('keeps an entry that a person reviewed', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text }));
    const [entry] = await exported(app);
    await app.memories.capture.review({ ids: [entry?.id ?? ''], verdict: 'keep' });
    await tell(app, answer(confirmation));
    expect((await exported(app)).map(({ content }) => content)).toContain(text);
  });
});

describe('the answer after a statement', () => {
  const text = 'from now on it is 18, the season has moved';
  const answer = (words: string): CaptureRequest => event({ event: 'response', text: words });
  const noted = async (app: TestApp): Promise<unknown> => (await entriesOf(app))[0]?.sourceRef?.['answer'];

  it('is recorded by its beginning, and its words find the entry', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text }), answer('Borrowers get their reminder later, I changed LOAN in loans.php. The tests pass.'));
    expect(await noted(app)).toBe('Borrowers get their reminder later, I changed LOAN in loans.php. The tests pass.');
    const { text: told } = await app.memories.capture.context({ prompt: 'when do borrowers get a reminder?', namespace: 'test' });
    expect(told).toContain(text);
    expect((await app.memories.lifecycle.history((await entriesOf(app))[0]!.id)).versions).toEqual([]);
  });

  it('is recorded without sentences that may contain a secret', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text }), answer('The password is now hunter2-Blue77. Borrowers get their reminder later.'));
    expect(await noted(app)).toBe('Borrowers get their reminder later.');
  });

  it('is the first one only', async () => {
    await using app = await openTestApp(SELDOM);
    await tell(app, event({ text }), answer('Borrowers get their reminder later.'), answer('All invoices are printed as well.'));
    expect(await noted(app)).toBe('Borrowers get their reminder later.');
  });
});

describe('the context line of a captured entry', () => {
  const lineOf = async (app: TestApp, prompt: string): Promise<string> =>
    (await app.memories.capture.context({ prompt, namespace: 'test' })).text;

  it('has the reply of the person if the question is long', async () => {
    await using app = await openTestApp(SELDOM);
    const question =
      'A photo of a brood frame is about 300 kB now. When should photos be sent? I could send them right away over mobile data, or only on wifi.';
    await tell(app, event({ event: 'response', text: question }), event({ text: 'wifi only, half of them have prepaid cards' }));
    expect(await lineOf(app, 'when are photos of a brood frame sent?')).toContain('wifi only, half of them have prepaid cards');
  });
});
