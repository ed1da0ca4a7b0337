import { describe, expect, it } from 'vitest';
import { outputFor, mayAsk } from '../../../src/hooks/hook-output.ts';
import type { CaptureReceipt, CaptureRequest } from '../../../src/memory/operations/capture-operations.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const tell = (app: TestApp, event: 'prompt' | 'response', text: string, more: Partial<CaptureRequest> = {}): Promise<CaptureReceipt> =>
  app.memories.capture.accept({ client: 'claude', session: 's', event, namespace: 'test', text, ...more });
const DECIDED = 'We decided to use Postgres instead of MySQL for orders.';

describe('asking the agent to save', () => {
  it('happens once per session, at the end of a turn with an unsaved decision; its result is counted', async () => {
    await using app = await openTestApp();
    await tell(app, 'prompt', DECIDED);
    // A subagent that ends, and a turn that the client may not prolong.
    expect(await tell(app, 'response', 'Fine.')).toEqual({ accepted: true });
    expect(await tell(app, 'response', 'Fine.', { assist: true })).toEqual({ accepted: true, ask: true });
    await app.memories.save({ content: 'Orders use Postgres.', namespace: 'test' });
    expect(await tell(app, 'response', 'Saved it.', { assist: false })).toEqual({ accepted: true });
    await tell(app, 'prompt', DECIDED);
    expect(await tell(app, 'response', 'Fine.', { assist: true })).toEqual({ accepted: true });
    const { assist } = await app.memories.capture.stats({ namespace: 'test' });
    expect(assist).toEqual({ asked: 1, saved: 1, tokens: expect.any(Number) });
    expect(assist?.tokens).toBeLessThan(80);
  });

  it('is skipped after small talk, and if something was saved in the turn', async () => {
    await using app = await openTestApp();
    await tell(app, 'prompt', 'show me the failing test');
    expect(await tell(app, 'response', 'It is in cart.test.ts, line 40.', { assist: true })).toEqual({ accepted: true });
    await tell(app, 'prompt', DECIDED);
    await app.memories.save({ content: 'Orders use Postgres.', namespace: 'test' });
    expect(await tell(app, 'response', 'Saved.', { assist: true })).toEqual({ accepted: true });
    expect((await app.memories.capture.stats({})).assist).toBeUndefined();
  });

  it('uses the turn end of Claude Code and Codex, except one that a hook prolonged', () => {
    const asked = (client: string, event: string, stop_hook_active: unknown) => mayAsk({ client, event, payload: { stop_hook_active } });
    expect([asked('claude', 'Stop', false), asked('codex', 'Stop', false)]).toEqual([true, true]);
    expect([asked('claude', 'Stop', true), asked('claude', 'Stop', undefined)]).toEqual([false, false]);
    expect([asked('claude', 'SubagentStop', false), asked('gemini', 'AfterAgent', false)]).toEqual([undefined, undefined]);
    expect(JSON.parse(outputFor({ client: 'claude', event: 'response', context: 'save it' }))).toEqual({
      decision: 'block',
      reason: 'save it',
    });
    expect(outputFor({ client: 'claude', event: 'response', context: '' })).toBe('');
  });
});
