/** Set-up of every test file: a warning of Node that means a fault of ours fails the file. Vitest itself fails a run for an unhandled rejection. */
import { afterAll } from 'vitest';
import { reportFatalErrors } from '../helpers/crash-evidence.ts';

reportFatalErrors();

const FAULTS = new Set([
  'MaxListenersExceededWarning',
  'PromiseRejectionHandledWarning',
  'TimeoutNaNWarning',
  'TimeoutNegativeWarning',
  'TimeoutOverflowWarning',
  'UnhandledPromiseRejectionWarning',
]);

const seen: Error[] = [];
const note = (warning: Error): void => {
  if (FAULTS.has(warning.name)) seen.push(warning);
};
process.on('warning', note);

afterAll(async () => {
  // Warnings and rejections are told a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  // The process goes on with another file, which listens for itself.
  process.off('warning', note);
  if (seen.length > 0) throw new AggregateError(seen, `Node warned: ${seen.map(({ name, message }) => `${name}: ${message}`).join('; ')}`);
});
