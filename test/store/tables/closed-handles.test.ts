import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClosedHandles as Handles } from '../../../src/store/tables/closed-handles.ts';

let ClosedHandles: typeof Handles;
// What it has found of the engine it keeps: each test begins as a program does.
beforeEach(async () => {
  vi.resetModules();
  ({ ClosedHandles } = await import('../../../src/store/tables/closed-handles.ts'));
});

const gcElsewhere = (): unknown => runInNewContext('typeof globalThis.gc');

/** So many objects that nothing holds but these references. */
function addHandles(handles: Handles, count: number): WeakRef<object>[] {
  return Array.from({ length: count }, (_, nth) => {
    const handle = { nth };
    handles.add(handle);
    return new WeakRef(handle);
  });
}

describe('closed handles', () => {
  afterEach(() => setFlagsFromString('--no-expose-gc'));

  it('are collected once there are many', async () => {
    const refs = addHandles(new ClosedHandles(), 12);
    await expect.poll(() => refs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
    expect(gcElsewhere()).toBe('undefined');
  });

  it('are collected by one run at a time, and only if there are many', () => {
    let asked = 0;
    const handles = new ClosedHandles(() => () => {
      asked += 1;
      return Promise.resolve();
    });
    addHandles(handles, 11);
    expect(asked).toBe(0);
    addHandles(handles, 5);
    expect(asked).toBe(1);
  });

  it('are harmless if the engine cannot be asked', async () => {
    let asked = 0;
    const handles = new ClosedHandles(() => {
      asked += 1;
      throw new ReferenceError('gc is not defined');
    });
    addHandles(handles, 12);
    await new Promise((resolve) => setImmediate(resolve));
    addHandles(handles, 1);
    expect(asked).toBe(2);
  });

  it('leave garbage collection to a program started with it', async () => {
    setFlagsFromString('--expose-gc');
    const refs = addHandles(new ClosedHandles(), 12);
    await expect.poll(() => refs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
    expect(gcElsewhere()).toBe('function');
  });
});
