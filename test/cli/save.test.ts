import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SaveReceipt, SearchResults } from '../../src/memory/operations/operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

const KETTLE = 'The old kettle in the kitchen whistles before the water boils over';
const SECRET = `Clone with ghp_${'a1B2c3D4e5'.repeat(4)}`;

describe('lore save', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  it('names near duplicates and how to forget the new entry, with only the id on standard output', async () => {
    const first = await cli.run(['save', `${KETTLE}.`]);
    expect(first).toMatchObject({ code: 0, stderr: 'Saved.\n' });
    const id = first.stdout.trim();
    const second = await cli.run(['save', `${KETTLE}!`]);
    expect(second.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(second.stderr.split('\n')).toEqual([
      'Saved.',
      'Near duplicates, kept:',
      expect.stringMatching(new RegExp(`^  (?:0\\.9\\d|1\\.00)  ${id}  ${KETTLE}\\.$`)),
      'If you do not need one of them: lore forget <id>',
      '',
    ]);
    expect((await cli.run(['save', `${KETTLE} –`, '--no-near'])).stderr).toBe('Saved.\n');
    const receipt = (await cli.run(['save', `${KETTLE};`, '--json'])).json<SaveReceipt>();
    expect(receipt.outcomes[0]?.near).toHaveLength(3);
    const plain = (await cli.run(['save', `${KETTLE}:`, '--json', '--no-near'])).json<SaveReceipt>();
    expect(plain.outcomes[0]).not.toHaveProperty('near');
  });

  it('names an entry with another value of the same fact, and supersedes it on request', async () => {
    const older = (await cli.run(['save', 'The nightly backup starts at 05:00.'])).stdout.trim();
    const { stdout, stderr } = await cli.run(['save', 'The nightly backup starts at 04:00.']);
    expect(stderr.split('\n')).toEqual([
      'Saved.',
      'Another value for the same subject, kept:',
      expect.stringMatching(new RegExp(`^  0\\.\\d\\d  ${older}  The nightly backup starts at 05:00\\.$`)),
      '        here “04:00”, there “05:00”',
      `If the new one is right: lore relate ${stdout.trim()} supersedes <id>`,
      '',
    ]);
    const both = ['--supersedes', older, '--supersedes', stdout.trim()];
    const third = await cli.run(['save', 'The nightly backup starts at 03:00.', ...both]);
    expect(third.stderr.split('\n')).toEqual(['Saved.', `Replaces ${older}.`, `Replaces ${stdout.trim()}.`, '']);
    expect((await cli.run(['recall', 'nightly backup', '--json'])).json<SearchResults>().results).toHaveLength(1);
    expect((await cli.run(['save', 'x', '--supersedes', 'nonsense'])).code).toBe(1);
  });

  it('warns of a secret and stores it unchanged', async () => {
    const saved = await cli.run(['save', SECRET]);
    expect(saved).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Saved\.\nwarning: This text seems to contain a secret \(github-token/),
    });
    expect((await cli.run(['get', saved.stdout.trim()])).stdout).toContain(SECRET);
  });

  it('lists the entities of an entry', async () => {
    const { stdout } = await cli.run(['save', 'The retry lives in src/http/retry.ts, says @ken']);
    expect((await cli.run(['get', stdout.trim()])).stdout).toMatch(/^Entities +src\/http\/retry\.ts, @ken$/m);
  });
});

describe('lore with memory.redactSecrets set to always', () => {
  it('reports what it redacted in a text and in an import', async () => {
    await using cli = await openCliInProcess();
    const env = { SERVICE_MEMORY_REDACT_SECRETS: 'always' };
    const saved = await cli.run(['save', SECRET], { env });
    expect(saved.stderr).toBe('Saved.\nRedacted before it was stored: github-token.\n');
    expect((await cli.run(['get', saved.stdout.trim()])).stdout).toContain('Clone with [redacted: github-token]');
    const imported = await cli.run(['import', '-'], { env, input: `${JSON.stringify({ content: `again: ${SECRET}` })}\n` });
    expect(imported).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Secrets in 1 entry were redacted before they were stored'),
    });
  });
});
