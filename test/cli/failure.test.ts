import { describe, expect, it } from 'vitest';
import { causeChain, failureOf, UsageError } from '../../src/cli/failure.ts';
import { LoreError } from '../../src/memory/errors.ts';

describe('failureOf', () => {
  it('keeps the code, message and hint of our own errors', () => {
    const error = new LoreError('network', 'No answer.', { hint: 'Start it.' });
    expect(failureOf(error)).toEqual({ kind: 'network', message: 'No answer.', hint: 'Start it.' });
    expect(failureOf(new UsageError('Wrong.', 'So.'))).toMatchObject({ kind: 'usage', message: 'Wrong.', hint: 'So.' });
  });

  it('distinguishes network errors from file errors of the operating system', () => {
    const fault = (syscall: string, code: string) => Object.assign(new Error(`${code}: ${syscall}`), { syscall, code });
    expect(failureOf(fault('open', 'EACCES')).kind).toBe('filesystem');
    expect(failureOf(fault('connect', 'ECONNREFUSED')).kind).toBe('network');
    expect(failureOf(fault('listen', 'EADDRINUSE')).kind).toBe('network');
  });

  it('treats everything else as a bug in Lore', () => {
    expect(failureOf(new TypeError('x is undefined'))).toMatchObject({ kind: 'internal', message: 'Unexpected failure: x is undefined' });
    expect(failureOf('text').kind).toBe('internal');
  });
});

describe('causeChain', () => {
  it('shows the causes from the outermost in', () => {
    const chain = causeChain(new LoreError('filesystem', 'outer', { cause: new Error('middle', { cause: { code: 7 } }) }));
    expect(chain[0]).toContain('LoreError: outer');
    expect(chain[1]).toContain('Error: middle');
    expect(chain[2]).toContain('code: 7');
  });

  it('stops at a circular cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(causeChain(error).length).toBeLessThanOrEqual(10);
  });
});
