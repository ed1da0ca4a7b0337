import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;

export const TINY_MODEL = 'local/tiny';
export const MODEL_FILE = 'onnx/model_quantized.onnx';

const SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
/** Whole words, so that texts with a common word are nearer to each other than by their letters. */
const WORDS = [
  'the',
  'cat',
  'dog',
  'sat',
  'on',
  'mat',
  'we',
  'deploy',
  'with',
  'make',
  'ship',
  'staging',
  'first',
  'coffee',
  'tea',
  'milk',
];
const INT64 = 7;
const UINT8 = 2;
const FLOAT = 1;

/**
 * The files of a real, very small sentence model for @xenova/transformers: a WordPiece tokenizer and an ONNX graph that looks up a vector per
 * token. About 140 KB, deterministic. Gives the files by their path in the model's folder.
 */
export function tinyModelFiles({ dimensions = 384 } = {}): ReadonlyMap<string, Uint8Array> {
  const vocabulary = vocabularyOf();
  const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  return new Map([
    ['config.json', json({ model_type: 'bert', hidden_size: dimensions, vocab_size: vocabulary.length })],
    ['tokenizer_config.json', json(TOKENIZER_CONFIG)],
    ['tokenizer.json', json(tokenizer(vocabulary))],
    [MODEL_FILE, graph(vocabulary.length, dimensions)],
  ]);
}

/** Writes the files of the tiny model where a user would put them: `<folder>/local/tiny/`. */
export async function writeTinyModel(folder: string, options: { dimensions?: number; model?: string } = {}): Promise<void> {
  const home = join(folder, options.model ?? TINY_MODEL);
  await mkdir(join(home, 'onnx'), { recursive: true });
  for (const [name, bytes] of tinyModelFiles(options)) await writeFile(join(home, name), bytes);
}

function vocabularyOf(): string[] {
  const characters = Array.from({ length: 94 }, (_, nth) => String.fromCharCode(33 + nth)).filter((one) => one.toLowerCase() === one);
  return [...SPECIALS, ...characters, ...characters.map((one) => `##${one}`), ...WORDS];
}

const TOKENIZER_CONFIG = {
  tokenizer_class: 'BertTokenizer',
  do_lower_case: true,
  model_max_length: 512,
  unk_token: '[UNK]',
  sep_token: '[SEP]',
  pad_token: '[PAD]',
  cls_token: '[CLS]',
  mask_token: '[MASK]',
};

function tokenizer(vocabulary: readonly string[]): unknown {
  const special = (id: number): unknown => ({
    id,
    content: SPECIALS[id],
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  const piece = (id: string): unknown => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIALS.map((_, id) => special(id)),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, piece('[SEP]')],
      pair: [piece('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, piece('[SEP]'), { Sequence: { id: 'B', type_id: 1 } }, piece('[SEP]')],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
}

function graph(rows: number, dimensions: number): Uint8Array {
  const matrix = ['batch', 'sequence'].map((dimParam) => ({ dimParam }));
  const value = (name: string, elemType: number, dim: object[]): object => ({ name, type: { tensorType: { elemType, shape: { dim } } } });
  const model = onnx.ModelProto.create({
    irVersion: 7,
    opsetImport: [{ domain: '', version: 13 }],
    graph: {
      name: 'tiny',
      // All three inputs, because the library passes all; only one is used.
      input: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => value(name, INT64, matrix)),
      output: [value('last_hidden_state', FLOAT, [...matrix, { dimValue: dimensions }])],
      initializer: [
        { name: 'table', dataType: UINT8, dims: [rows, dimensions], rawData: noise(rows * dimensions) },
        { name: 'scale', dataType: FLOAT, dims: [], floatData: [1 / 40] },
        { name: 'zero', dataType: UINT8, dims: [], rawData: Uint8Array.of(128) },
      ],
      node: [
        {
          opType: 'Gather',
          input: ['table', 'input_ids'],
          output: ['rows'],
          attribute: [{ name: 'axis', type: onnx.AttributeProto.AttributeType.INT, i: 0 }],
        },
        { opType: 'DequantizeLinear', input: ['rows', 'scale', 'zero'], output: ['last_hidden_state'] },
      ],
    },
  });
  return onnx.ModelProto.encode(model).finish();
}

/** Pseudo-random bytes of mulberry32 with a fixed seed. */
function noise(length: number): Uint8Array {
  let state = 7;
  return Uint8Array.from({ length }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) & 255;
  });
}
