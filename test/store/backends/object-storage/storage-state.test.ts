import { describe, expect, it } from 'vitest';
import { LoreError } from '../../../../src/memory/errors.ts';
import { StorageState } from '../../../../src/store/backends/object-storage/storage-state.ts';
import { failureOf } from '../../../helpers/failure.ts';

const never = new Promise<never>(() => undefined);
const away = new LoreError('unavailable', 'Object storage cannot be reached.');

function stateAt() {
  let now = 0;
  const state = new StorageState({ timeoutMs: 30_000, now: () => now });
  return { state, pass: (ms: number) => void (now += ms) };
}

describe('the known state of object storage', () => {
  it('is a fault after two seconds without a response, until the next response', async () => {
    const { state, pass } = stateAt();
    void state.during(never);
    pass(1_999);
    expect(state.fault).toBeUndefined();
    pass(1);
    expect(state.fault).toBe('Object storage has not answered for 2 s.');
    await state.during(Promise.resolve());
    expect(state.fault).toBeUndefined();
  });

  it('is the error of the last failed call, until one succeeds', async () => {
    const { state } = stateAt();
    await failureOf(state.during(Promise.reject(away)));
    expect(state.fault).toBe('Object storage cannot be reached.');
    await state.during(Promise.resolve());
    expect(state.fault).toBeUndefined();
  });

  it('is a refused write until one succeeds, whatever reads return', async () => {
    const { state } = stateAt();
    await failureOf(state.writing(Promise.reject(new Error('It may only read.'))));
    await state.during(Promise.resolve());
    expect(state.fault).toBe('It may only read.');
    await state.writing(Promise.resolve());
    expect(state.fault).toBeUndefined();
  });

  it('ends waiting work after the request timeout, and refuses more at once', async () => {
    const { state, pass } = stateAt();
    void state.during(never);
    const waiting = failureOf(state.unlessSilent(() => never));
    pass(30_000);
    state.tick();
    expect(await waiting).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    let isBegun = false;
    await failureOf(state.unlessSilent(async () => (isBegun = true)));
    expect(isBegun).toBe(false);
  });

  it('is probed if there are no other calls', () => {
    const { state, pass } = stateAt();
    let reads = 0;
    state.begin({ read: async () => (reads += 1) });
    state.tick();
    pass(2_000);
    state.tick();
    state.close();
    pass(2_000);
    state.tick();
    expect(reads).toBe(1);
  });

  it('is probed by a write only if allowed, until it is known', async () => {
    const { state, pass } = stateAt();
    let mayWrite = false;
    let writes = 0;
    const write = (): Promise<void> | undefined => (mayWrite ? Promise.resolve(void (writes += 1)) : undefined);
    state.begin({ read: () => Promise.resolve(), write });
    pass(5_000);
    state.tick();
    expect(writes).toBe(0);
    mayWrite = true;
    state.tick();
    await Promise.resolve();
    pass(5_000);
    state.tick();
    state.close();
    expect(writes).toBe(1);
  });
});
