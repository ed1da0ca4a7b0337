import { expect, it } from 'vitest';
import { Dialog } from '../../../src/memory/capture/capture-dialog.ts';

const OFFER = 'VictoriaLogs is a single binary and needs little memory. OpenSearch searches better, but wants three nodes.';
const CHOICE = 'Plain text arrives more reliably. HTML can show the `logo.svg` of the shop. Which one?';

/** What a reply decided, by the next answer. */
function settled(offer: string, reply: string, next: string, changed: readonly string[] = []): string | undefined {
  const dialog = new Dialog();
  dialog.noteAnswer(offer);
  dialog.notePrompt(reply, { isKept: false });
  return dialog.settledBy(next, new Set(changed));
}

it('a reply without an option is captured with the one that the next answer names', () => {
  expect(settled(OFFER, 'low memory sounds like sleep', 'Logs go to VictoriaLogs now. The plan shows 6 to add.')).toBe(
    'Agreed: VictoriaLogs is a single binary and needs little memory (not OpenSearch). low memory sounds like sleep. Logs go to VictoriaLogs now.',
  );
});

it('a reply is captured with the option that the edits name', () => {
  expect(settled(OFFER, 'that sounds like sleep', 'The module is there.', ['module', 'victorialog'])).toContain('VictoriaLogs is a single');
});

it('a reply is captured with the sentence of the offer whose name the next answer repeats', () => {
  expect(settled(CHOICE, 'the pretty one', 'The mail shows `logo.svg` at the top.')).toContain('HTML can show the `logo.svg`');
});

it.each([
  ['names both', OFFER, 'sleep is good', 'VictoriaLogs replaces OpenSearch now.'],
  ['names none', OFFER, 'sleep is good', 'All 212 tests pass now.'],
  ['follows a question', OFFER, 'what do they cost?', 'VictoriaLogs costs nothing at all.'],
  ['follows other work', OFFER, 'run the tests first please', 'The tests of VictoriaLogs pass now.'],
  ['follows an answer that offers nothing', 'Done, all tests pass.', 'sleep is good', 'Logs go to VictoriaLogs now.'],
])('nothing is captured of a reply whose next answer %s', (_, offer, reply, next) => {
  expect(settled(offer, reply, next)).toBeUndefined();
});
