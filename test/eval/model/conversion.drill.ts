import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { checkConfig, checkShapes, MINILM } from './architecture.mjs';
import { bertGraph } from './bert-graph.mjs';
import { checkOnnxShapes } from './onnx-shapes.mjs';
import { quantizeColumns, quantizeTable } from './quantize.mjs';
import { parseSafetensors } from './safetensors.mjs';
import { checkPairs, measurePairs, PUBLISHED_PAIRS, TOLERANCE } from './similarities.mjs';
import { forwardPass, TINY, tinySafetensors } from './tiny-bert.ts';

const tensors = parseSafetensors(tinySafetensors());
const shapesOf = (file: Uint8Array): Map<string, readonly number[]> =>
  new Map([...parseSafetensors(file)].map(([name, { shape }]) => [name, shape]));

const [LONG, SHORT] = [
  [2, 7, 19, 4, 4, 11, 3],
  [2, 13, 3],
] as const;

/** Last hidden states of two texts in one batch, the shorter one padded: [text][token][dimension]. */
async function run(file: Uint8Array): Promise<number[][][]> {
  const session = await InferenceSession.create(file);
  const rows = [[...LONG], [...SHORT, 0, 0, 0, 0]];
  const dims = [rows.length, LONG.length];
  const integers = (values: readonly number[]): Tensor => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
  const mask = [...LONG.map(() => 1), ...LONG.map((_, nth) => (nth < SHORT.length ? 1 : 0))];
  const output = await session.run({
    input_ids: integers(rows.flat()),
    attention_mask: integers(mask),
    token_type_ids: integers(mask.map(() => 0)),
  });
  const hidden = output['last_hidden_state'] as Tensor;
  expect(hidden.dims).toEqual([...dims, TINY.width]);
  const values = hidden.data as Float32Array;
  const vector = (text: number, token: number): number[] => {
    const start = (text * LONG.length + token) * TINY.width;
    return [...values.subarray(start, start + TINY.width)];
  };
  return [LONG, SHORT].map((ids, text) => ids.map((_, token) => vector(text, token)));
}

/** Largest difference between what the file computes and the plain computation. */
async function furthest(file: Uint8Array): Promise<number> {
  const made = await run(file);
  const expected = [LONG, SHORT].map((ids) => forwardPass(tensors, ids));
  const differences = expected.flatMap((text, nth) =>
    text.flatMap((vector, token) => vector.map((value, at) => Math.abs(value - (made[nth]?.[token]?.[at] as number)))),
  );
  return Math.max(...differences);
}

describe('weights as ONNX', () => {
  it('compute what BERT computes, in a batch with padding', async () => {
    expect(await furthest(bertGraph(tensors, TINY, { quantized: false }))).toBeLessThan(1e-4);
  });

  it('compute nearly the same with eight-bit integers', async () => {
    const difference = await furthest(bertGraph(tensors, TINY, { quantized: true }));
    expect(difference).toBeGreaterThan(1e-4);
    expect(difference).toBeLessThan(0.15);
  });

  it('have the shapes of their architecture, quantized or not', () => {
    for (const quantized of [true, false]) {
      const file = bertGraph(tensors, TINY, { quantized });
      expect(() => checkOnnxShapes(file, TINY)).not.toThrow();
      expect(() => checkOnnxShapes(file, MINILM)).toThrow('last_hidden_state of width 8, not 384');
      expect(() => checkOnnxShapes(file, { ...TINY, layers: 3 })).toThrow(/holds \d+ weights of 8 x 8, not \d+/);
    }
  });
});

describe('quantized weights', () => {
  it('differ by at most half a step, and stay within 64', () => {
    const values = Float32Array.of(0.5, -8, 0.123, 2, -0.5, 7.9);
    const { integers, scales } = quantizeColumns(values, [3, 2]);
    expect(Math.max(...integers)).toBe(64);
    expect(Math.min(...integers)).toBe(-64);
    for (const [nth, integer] of integers.entries()) {
      const scale = scales[nth % 2] as number;
      expect(Math.abs(integer * scale - (values[nth] as number))).toBeLessThanOrEqual(scale / 2 + 1e-6);
    }
  });

  it('of a table are centred at 128', () => {
    expect(quantizeTable(Float32Array.of(0, 1, -0.5))).toEqual({ integers: Uint8Array.of(128, 255, 64), scale: Math.fround(2 / 255) });
  });
});

describe('a safetensors file', () => {
  it('is rejected if it is truncated or damaged', () => {
    const file = tinySafetensors();
    expect(() => parseSafetensors(file.subarray(0, 4))).toThrow('it has no header');
    expect(() => parseSafetensors(file.subarray(0, 100))).toThrow('its header is cut off');
    expect(() => parseSafetensors(file.subarray(0, file.length - 1))).toThrow('lies outside of the file');
    const broken = Uint8Array.from(file);
    broken[8] = 0x21;
    expect(() => parseSafetensors(broken)).toThrow('its header is not JSON');
  });

  it('is rejected if the weights do not fit the architecture', () => {
    expect(() => checkShapes(shapesOf(tinySafetensors()), TINY)).not.toThrow();
    expect(() => checkShapes(shapesOf(tinySafetensors({ leave: 'encoder.layer.1.output.dense.bias' })), TINY)).toThrow(
      'encoder.layer.1.output.dense.bias is missing, not [8]',
    );
    expect(() => checkShapes(shapesOf(tinySafetensors({ architecture: { ...TINY, inner: 32 } })), TINY)).toThrow(
      'encoder.layer.0.intermediate.dense.weight is [32, 8], not [16, 8]',
    );
    expect(() => checkShapes(shapesOf(tinySafetensors({ architecture: { ...TINY, layers: 3 } })), TINY)).toThrow('does not belong to it');
  });
});

describe('a config.json', () => {
  it('of another architecture is rejected with the differences', () => {
    expect(() => checkConfig({ model_type: 'bert', hidden_act: 'gelu', num_hidden_layers: 12 }, MINILM)).toThrow(
      'num_hidden_layers 12, not 6',
    );
  });
});

describe('published similarities', () => {
  it('reject a model with other vectors', async () => {
    const letters = async (texts: readonly string[]): Promise<number[][]> =>
      texts.map((text) => ['a', 'e', 'i', 'o'].map((letter) => (text.split(letter).length - 1) / text.length));
    const pairs = await measurePairs(letters);
    expect(pairs).toHaveLength(PUBLISHED_PAIRS.length);
    expect(() => checkPairs(pairs, TOLERANCE.quantized)).toThrow('This is not the model');
    expect(() =>
      checkPairs(
        pairs.map((pair) => ({ ...pair, measured: pair.published })),
        TOLERANCE.fp32,
      ),
    ).not.toThrow();
    expect(() =>
      checkPairs(
        pairs.map((pair) => ({ ...pair, measured: Number.NaN })),
        TOLERANCE.fp32,
      ),
    ).toThrow('This is not the model');
  });
});
