import { describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { embedText } from '../../src/embeddings/builtin.ts';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';
import { openMachine, type Machine, type MachineOptions } from './machine.ts';

/** Each command is a process of its own, and the machine may be busy. */
const PATIENCE_MS = 480_000;

async function withThree(options?: MachineOptions): Promise<Machine> {
  const machine = await openMachine(options);
  const lines = ['one', 'two', 'three'].map((content) => JSON.stringify({ content })).join('\n');
  expect((await machine.run(`echo '${lines}' | lore import - && systemctl --user start lore`)).code).toBe(0);
  return machine;
}

describe('the drills of docs/operations.md', { timeout: PATIENCE_MS }, () => {
  it('upgrade to a new version', async () => {
    await using machine = await withThree();
    await machine.play('upgrade');
    await machine.play('after the upgrade');
    expect((await machine.run('lore list --all --json | grep -c \'"content"\'')).output.trim()).toBe('3');
  });

  it('replace a forgotten key without losing memories', async () => {
    await using machine = await withThree();
    await machine.run('OLD_KEY=$(lore auth generate-key --name laptop)');
    await machine.play('forgotten key');
    expect((await machine.run('lore list --all --json | grep -c \'"content"\'')).output.trim()).toBe('3');
  });

  it('change the embedding model', async () => {
    await using api = await startEmbeddingApi();
    api.width = 768;
    api.embed = (text) => Float32Array.from([...embedText(text), ...embedText(text)]);
    const { host } = new URL(api.url);
    const env = { SERVICE_EMBEDDINGS_PROVIDER: '', SERVICE_EMBEDDINGS_ALLOW_DOWNLOAD: 'false' };
    await using machine = await withThree({ env, instead: { '127.0.0.1:11434': host } });
    await machine.play('another model');
    const { output } = await machine.run('lore recall two --mode vector');
    expect(output).toContain('two');
  });

  it('uninstall everything', async () => {
    await using machine = await withThree();
    await machine.play('uninstall');
    expect(existsSync(join(machine.home, '.local/share/lore'))).toBe(false);
    expect((await machine.run('wc -l < <(zcat everything.jsonl.gz)')).output.trim()).toBe('4');
  });
});
