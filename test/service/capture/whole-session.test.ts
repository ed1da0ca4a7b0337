import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcriptIn } from '../../../src/hooks/payload.ts';
import type { CaptureRequest, SpooledEvent } from '../../../src/memory/operations/capture-operations.ts';
import type { Capture } from '../../../src/service/capture/capture.ts';
import { readTranscript } from '../../../src/service/capture/transcript.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const pause = (): Promise<void> => Promise.resolve();
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const said = (role: 'user' | 'assistant', content: unknown, marks: object = {}): string =>
  line({ type: role, ...marks, message: { role, content } });
const PROPOSAL = 'I would move the thumbnails to a queue in Redis, because uploads then return at once. Shall I go ahead?';

/** A session whose client writes a transcript: each turn is told as an event, and the transcript is named behind it. */
class Session {
  readonly file: string;
  readonly #app: TestApp;

  constructor(app: TestApp, name = 's') {
    this.#app = app;
    this.file = path.join(app.folder, `${name}.jsonl`);
    writeFileSync(this.file, '');
  }

  async say(event: 'prompt' | 'response', text: string): Promise<void> {
    appendFileSync(this.file, said(event === 'prompt' ? 'user' : 'assistant', text));
    await this.#app.memories.capture.accept({ client: 'claude', session: 's', event, namespace: 'test', text });
  }

  async end(): Promise<string[]> {
    const event: SpooledEvent = { client: 'claude', session: 's', event: 'session-end', namespace: 'test', transcript: this.file };
    const folder = path.join(this.#app.folder, 'capture');
    mkdirSync(folder, { recursive: true });
    appendFileSync(path.join(folder, 'store.jsonl'), line(event));
    return await this.held();
  }

  async held(): Promise<string[]> {
    await (this.#app.memories.capture as Capture).drain();
    const { entries } = await this.#app.memories.list({ namespace: 'test', limit: 100 });
    return entries.flatMap(({ content, superseded }) => (superseded === true ? [] : [content])).toSorted();
  }
}

describe('capture of a whole session', () => {
  it('reads the options of an answer, and keeps the chosen one once', async () => {
    await using app = await openTestApp();
    const session = new Session(app);
    const options = '1. AsyncStorage: simple, only keys and values\n2. expo-sqlite: a real database\n3. WatermelonDB: a native build';
    await session.say('response', `For records on the phone there are three ways:\n\n${options}\n\nWhich one shall I take?`);
    await session.say('prompt', 'the middle one sounds like what a grown up would do');
    expect(await session.end()).toEqual([
      'Agreed: For records on the phone there are three ways: expo-sqlite: a real database (not AsyncStorage, not WatermelonDB). the middle one sounds like what a grown up would do',
    ]);
  });

  it('captures agreements, and a statement with its reason instead of the earlier version; nothing twice', async () => {
    await using app = await openTestApp();
    const session = new Session(app);
    await session.say('response', PROPOSAL);
    await session.say('prompt', 'yes, do that');
    await session.say('prompt', 'We use pnpm instead of npm.');
    const agreed = 'Agreed: I would move the thumbnails to a queue in Redis, because uploads then return at once.';
    expect(await session.held()).toEqual([agreed, 'We use pnpm instead of npm.']);
    await session.say('prompt', 'The reason is that npm hoists react twice.');
    const whole = [agreed, 'We use pnpm instead of npm. The reason is that npm hoists react twice.'];
    expect(await session.end()).toEqual(whole);
    expect(await session.end()).toEqual(whole);
    expect(await app.memories.capture.stats({})).toMatchObject({ kept: 3 });
  });

  it('archives retracted statements and supersedes corrected ones, except kept entries', async () => {
    await using app = await openTestApp();
    const session = new Session(app);
    await session.say('prompt', 'We decided to use Memcached for the session cache.');
    await session.say('prompt', 'Deployments are approved by Jana.');
    await session.say('prompt', 'We store all money as integer cents.');
    await session.held();
    const { entries } = await app.memories.list({ namespace: 'test', limit: 10 });
    const cents = entries.filter(({ content }) => content.includes('cents')).map(({ id }) => id);
    await app.memories.capture.review({ ids: cents, verdict: 'keep' });
    await session.say('prompt', 'forget Memcached');
    await session.say('prompt', 'Sorry, deployments are approved by Tomasz.');
    await session.say('prompt', 'I take back what I said about the integer cents of money.');
    expect(await session.end()).toEqual(['Sorry, deployments are approved by Tomasz.', 'We store all money as integer cents.']);
    expect((await app.memories.lifecycle.archived({})).entries).toMatchObject([{ reason: 'forgotten' }]);
  });

  it('a request over HTTP cannot name a file to read', async () => {
    await using app = await openTestApp();
    const { CaptureRequest: schema } = await import('../../../src/memory/operations/capture-operations.ts');
    const request: CaptureRequest = { client: 'claude', session: 's', event: 'session-end', namespace: 'test' };
    expect(schema.safeParse({ ...request, transcript: path.join(app.folder, 'x') }).success).toBe(false);
  });
});

describe('a transcript', () => {
  it('is read for persons and assistant, in the formats of the clients', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 't.jsonl');
    const lines = [
      said('user', 'Which port?'),
      said('assistant', [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'One.' },
      ]),
      said('assistant', [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }]),
      said('user', [{ type: 'tool_result', content: 'We decided to use X.' }]),
      said('assistant', [{ type: 'text', text: 'Two.' }]),
      ...['isMeta', 'isSidechain', 'isApiErrorMessage', 'isCompactSummary'].map((mark) => said('assistant', 'No.', { [mark]: true })),
      said('user', 'Stop hook feedback: save it'),
      '{"type":"user", torn\n',
      line({ type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Of Codex' }] } }),
      line({ type: 'event_msg', payload: { type: 'user_message', message: 'Of Codex' } }),
      line({ type: 'gemini', content: 'Of Gemini' }),
      line({ role: 'user', message: { content: [{ type: 'text', text: '<user_query>\nOf Cursor\n</user_query>' }] } }),
      '{"type":"user","message":{"role":"user","content":"not yet who',
    ];
    writeFileSync(file, lines.join(''));
    const read = await readTranscript(file, { from: 0, pause });
    expect(read?.turns.map(({ by, text }) => `${by}: ${text}`)).toEqual([
      'person: Which port?',
      'assistant: One.\n\nTwo.',
      'person: Of Codex',
      'assistant: Of Gemini',
      'person: Of Cursor',
    ]);
    expect(read?.end).toBe(Buffer.byteLength(lines.slice(0, -1).join('')));
  });

  it('is read from the last position with context, or from its beginning if it is shorter', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 't.jsonl');
    writeFileSync(file, said('user', 'one'));
    const { end = 0 } = (await readTranscript(file, { from: 0, pause })) ?? {};
    expect(await readTranscript(file, { from: end, pause })).toBeUndefined();
    appendFileSync(file, said('assistant', 'two'));
    expect((await readTranscript(file, { from: end, pause }))?.turns.map(({ isNew }) => isNew)).toEqual([false, true]);
    writeFileSync(file, said('user', '1'));
    expect((await readTranscript(file, { from: end, pause }))?.turns).toEqual([{ by: 'person', text: '1', isNew: true }]);
  });

  it('that is missing, a folder, a pipe, binary or too large costs little and fails nothing', async () => {
    await using folder = await temporaryFolder();
    const at = (name: string): string => path.join(folder.path, name);
    const read = (file: string) => readTranscript(file, { from: 0, pause });
    expect(await read(at('none'))).toBeUndefined();
    expect(await read(folder.path)).toBeUndefined();
    // Where there are no pipes in folders, it is missing.
    spawnSync('mkfifo', [at('pipe')]);
    expect(await read(at('pipe'))).toBeUndefined();
    writeFileSync(at('bytes'), Buffer.alloc(100_000, 0xff));
    expect((await read(at('bytes')))?.turns).toEqual([]);
    writeFileSync(at('large'), said('user', 'x'.repeat(1000)).repeat(8000));
    const { turns = [] } = (await read(at('large'))) ?? {};
    expect(turns.length).toBeLessThanOrEqual(400);
    writeFileSync(at('line'), said('user', 'x'.repeat(3_000_000)) + said('user', 'y'));
    expect((await read(at('line')))?.turns.map(({ text }) => text)).toEqual(['y']);
  });

  it('is named by a hook at turn end, before compacting and at session end, if its path is absolute', () => {
    const named = (event: string, transcript_path: unknown) => transcriptIn({ event, payload: { transcript_path } });
    const file = path.resolve('t.jsonl');
    expect(['Stop', 'PreCompact', 'SessionEnd', 'AfterAgent'].map((event) => named(event, file))).toEqual([file, file, file, file]);
    expect(['UserPromptSubmit', 'SubagentStop', 'PostToolUse'].map((event) => named(event, file))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const bad of ['t.jsonl', '', 7, `${file}\0`, `${file}${'x'.repeat(5000)}`]) expect(named('Stop', bad)).toBeUndefined();
  });
});
