// node test/eval/model/word-meanings.mjs [-- --help]: makes bin/assets/word-meanings.bin, the table of src/embeddings/word-meanings.ts (docs/adr/0058).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../bench/command.mjs';
import { parseArgs } from 'node:util';
import { openEmbedder } from './sentence-vectors.mjs';

const MODEL = 'Xenova/all-MiniLM-L6-v2';
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const USAGE = `node test/eval/model/word-meanings.mjs --models DIR [options]
  --models DIR  where npm run eval:model wrote ${MODEL}
  --keep FILE   vectors of the words as the model gives them: written, and read where they are there (four minutes of CPU)
  --out FILE    default bin/assets/word-meanings.bin
`;
const options = {
  models: { type: 'string' },
  keep: { type: 'string' },
  out: { type: 'string', default: path.join(ROOT, 'bin/assets/word-meanings.bin') },
  help: { type: 'boolean', default: false },
};
/** Tables of Lore whose words are not all in the vocabulary of the model. */
const TABLES = ['categories', 'everyday-words', 'synonyms', 'related-words'].map((name) => `src/memory/words/${name}.ts`);
const WIDTH = 64;
const BATCH = 64;
/** A word as common as this share of all weighs half (smooth inverse frequency). */
const COMMON = 1e-3;
const ROUNDS = 60;

/** The words of the model's vocabulary, which stands in the order of their frequency, then those of the tables. */
function wordsOf(models) {
  const { model } = JSON.parse(readFileSync(path.join(models, MODEL, 'tokenizer.json'), 'utf8'));
  const own = Object.entries(model.vocab)
    .toSorted(([, a], [, b]) => a - b)
    .map(([word]) => word)
    .filter((word) => /^[a-z]{2,}$/.test(word));
  const known = new Set(own);
  const ofTables = TABLES.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .toLowerCase()
      .match(/\p{Script=Latin}{2,}/gu),
  );
  const others = [...new Set(ofTables)].filter((word) => !known.has(word));
  return { words: [...own, ...others.toSorted((a, b) => (a < b ? -1 : 1))], common: own.length };
}

async function embedded(words, models) {
  const embed = await openEmbedder(models, MODEL);
  const rows = [];
  for (let at = 0; at < words.length; at += BATCH) rows.push(...(await embed(words.slice(at, at + BATCH))));
  return rows.map((row) => Float32Array.from(row));
}

const kept = (file, count) => {
  const numbers = new Float32Array(new Uint8Array(readFileSync(file)).buffer);
  const width = numbers.length / count;
  return Array.from({ length: count }, (_, at) => numbers.subarray(at * width, (at + 1) * width));
};

const dot = (a, b) => {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
};

/** The directions in which the rows, whose mean is 0, differ most: orthogonal iteration from a fixed beginning. */
function principal(rows, count) {
  const width = rows[0].length;
  const spread = Array.from({ length: width }, () => new Float64Array(width));
  for (const row of rows) for (let i = 0; i < width; i++) for (let j = 0; j < width; j++) spread[i][j] += row[i] * row[j];
  let axes = Array.from({ length: count }, (_, k) => Float64Array.from({ length: width }, (_unused, at) => Math.sin((k + 1) * (at + 1))));
  for (let round = 0; round < ROUNDS; round++) {
    axes = axes.map((axis) => Float64Array.from({ length: width }, (_, i) => dot(spread[i], axis)));
    for (const [k, axis] of axes.entries()) {
      for (const before of axes.slice(0, k)) {
        const share = dot(axis, before);
        for (let i = 0; i < width; i++) axis[i] -= share * before[i];
      }
      const length = Math.sqrt(dot(axis, axis));
      for (let i = 0; i < width; i++) axis[i] /= length;
    }
  }
  return axes;
}

/** Token of the index, but for stop words -> its words, each with its share of all words. */
function tokensOf(words, { tokenize, isStopWord, common }) {
  const found = new Map();
  for (const [at, word] of words.entries()) {
    const [token, ...more] = tokenize(word);
    if (token === undefined || more.length > 0 || isStopWord(token)) continue;
    const share = 1 / ((Math.min(at, common) + 1) * Math.log(common));
    found.set(token, [...(found.get(token) ?? []), { at, share }]);
  }
  return found;
}

/** Form: see src/embeddings/word-meanings.ts. */
function tableOf(tokens, rows) {
  const names = [...tokens.keys()];
  const text = Buffer.from(names.join('\n'));
  const head = Buffer.alloc(12);
  head.writeUInt32LE(names.length, 0);
  head.writeUInt32LE(WIDTH, 4);
  head.writeUInt32LE(text.length, 8);
  const body = Buffer.alloc(names.length * (WIDTH + 1));
  for (const [nth, forms] of [...tokens.values()].entries()) {
    const all = forms.reduce((sum, { share }) => sum + share, 0);
    const mean = Float64Array.from({ length: WIDTH }, (_, i) => forms.reduce((sum, { at, share }) => sum + (share / all) * rows[at][i], 0));
    const most = Math.max(...mean.map(Math.abs)) || 1;
    body.writeUInt8(Math.round((255 * COMMON) / (COMMON + all)), nth * (WIDTH + 1));
    for (const [i, number] of mean.entries()) body.writeInt8(Math.round((127 * number) / most), nth * (WIDTH + 1) + 1 + i);
  }
  return Buffer.concat([head, text, body]);
}

async function main({ models, keep, out }) {
  const { isStopWord, tokenize } = await import('../../../dist/memory/words/tokens.js');
  const { words, common } = wordsOf(models);
  const isKept = keep !== undefined && existsSync(keep);
  const vectors = isKept ? kept(keep, words.length) : await embedded(words, models);
  if (keep !== undefined && !isKept) writeFileSync(keep, Buffer.concat(vectors.map((row) => Buffer.from(row.buffer))));
  const mean = Float64Array.from(vectors[0], (_, i) => vectors.reduce((sum, row) => sum + row[i], 0) / vectors.length);
  const centred = vectors.map((row) => row.map((number, i) => number - mean[i]));
  const axes = principal(centred, WIDTH);
  const rows = centred.map((row) => {
    const short = axes.map((axis) => dot(axis, row));
    const length = Math.sqrt(dot(short, short)) || 1;
    return short.map((number) => number / length);
  });
  const tokens = tokensOf(words, { tokenize, isStopWord, common });
  const table = tableOf(tokens, rows);
  writeFileSync(out, table);
  process.stdout.write(`${out}: ${tokens.size} tokens of ${words.length} words, ${table.length} bytes\n`);
}

const parse = () => {
  const { values } = parseArgs({ options });
  if (!values.help && values.models === undefined) throw new Error('--models is needed');
  return values;
};

await runCommand({ usage: USAGE, parse, main });
