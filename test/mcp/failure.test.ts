import { describe, expect, it } from 'vitest';
import { FAILURES, messageFor } from '../../src/mcp/failure.ts';
import { ERROR_CODES, LoreError } from '../../src/memory/errors.ts';
import { recordedLog } from '../helpers/recorded-log.ts';

describe('the message of a failure', () => {
  it.each(ERROR_CODES)('of %s says what happened and what to do', (code) => {
    const log = recordedLog();
    const words = messageFor(new LoreError(code, 'The walrus is out.'), { trusted: false, log });
    const isHidden = 'hidden' in FAILURES[code];
    expect(words.startsWith(isHidden ? 'Something went wrong in Lore' : 'The walrus is out. ')).toBe(true);
    expect(words).toMatch(/\. [A-Z`m][^.]+\.$/);
    expect(log.lines).toHaveLength(isHidden ? 1 : 0);
  });

  it('shows file names only to the user of this machine', () => {
    const error = new LoreError('filesystem', 'The folder /home/ana/store is gone.');
    expect(messageFor(error, { trusted: true, log: recordedLog() })).toContain('/home/ana/store');
    expect(messageFor(error, { trusted: false, log: recordedLog() })).not.toContain('/home/ana/store');
  });
});
