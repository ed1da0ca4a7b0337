import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import type { Child } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

const line = (n: number): string => `${JSON.stringify({ content: `entry ${n} ${'x'.repeat(200)}` })}\n`;
const endOf = async (child: Child): Promise<number | null> => ((await once(child, 'exit')) as [number | null])[0];

it('ends quietly when the reader of its output closes the pipe', async () => {
  await cli.run(['import', '-'], { input: Array.from({ length: 2000 }, (_, n) => line(n)).join('') });
  const child = cli.spawn(['export']);
  const stderr = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await endOf(child)).toBe(0);
  expect(await stderr).toBe('');
  // The store was closed in order.
  expect((await cli.run(['list', '--json'])).json<EntryPage>().total).toBe(2000);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends with the code of %s in the middle of an import, and keeps what was stored', async (signal, code) => {
  const child = cli.spawn(['import', '-', '--verbose']);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  // What the input is must be known first.
  child.stdin.write(line(0));
  await expect.poll(() => stderr, { timeout: 20_000 }).toContain('The store is open in this process.');
  for (let n = 1; n < 600; n++) child.stdin.write(line(n));
  child.kill(signal);
  expect(await endOf(child)).toBe(code);
  expect(stderr).not.toContain('error:');
  expect((await cli.run(['save', 'the store is free'])).code).toBe(0);
});
