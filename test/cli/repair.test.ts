import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
let store: string;
let env: Record<string, string>;
beforeEach(async () => {
  cli = await openCliInProcess();
  store = join(cli.home, 'the store');
  env = { SERVICE_STORAGE_PATH: store };
});
afterEach(() => cli[Symbol.asyncDispose]());

describe('entries altered on disk', () => {
  it('are reported by verify', async () => {
    const saved = await cli.run(['save', 'the spare key is with Ana', '--json'], { env });
    const whole = await cli.run(['verify'], { env });
    expect(whole.stdout).toMatch(/^(?:0|1) entr(?:y|ies) read, all as saved\.$/m);
    expect([saved.code, whole.code]).toEqual([0, 0]);
  }, 120_000);
});

describe('the repair of a store', () => {
  it('counts entries that are only in the log if readable, and not those removed there', async () => {
    for (const content of ['the spare key is with Ana', 'the ferry leaves at nine']) await cli.run(['save', content], { env });
    const removed = await cli.run(['save', 'the kettle whistles at noon'], { env });
    await cli.run(['forget', removed.stdout.trim(), '--yes', '--permanently'], { env });
    const { code, stdout } = await cli.run(['doctor', '--repair'], { env });
    expect(stdout).toMatch(/^Entries +2 entries can be read$/m);
    expect(code).toBe(0);
  }, 120_000);

  it('is refused while a server has the store open', async () => {
    await cli.run(['save', 'the spare key is with Ana'], { env });
    await cli.serveHere(env);
    const { code, stderr } = await cli.run(['doctor', '--repair'], { env });
    expect(stderr).toMatch(/is open in process \d+/);
    expect(code).toBe(2);
  }, 120_000);
});
