// node test/eval/model/word-meanings.mjs [-- --help]: makes bin/assets/word-meanings.bin, the table of src/embeddings/word-meanings.ts (docs/adr/0058, 0064).
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../bench/command.mjs';
import { parseArgs } from 'node:util';
import { openEmbedder } from './sentence-vectors.mjs';
import { readFacts } from './facts.mjs';
import { match } from './matching.mjs';
import { begin, COMMON, dot, meanOf, principal, projected, sums, train } from './token-vectors.mjs';

const MODEL = 'Xenova/all-MiniLM-L6-v2';
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const USAGE = `node test/eval/model/word-meanings.mjs --models DIR --corpus FILE --keep DIR [options]
       node test/eval/model/word-meanings.mjs --table FILE [options]
  --models DIR   where npm run eval:model wrote ${MODEL}
  --corpus FILE  a sentence in each line, or one in another language, a tab and the same in English
  --keep DIR     what the model says of words and sentences: written, and read where it is there (an hour of CPU or more); words.txt tells the words
  --table FILE   a table that this script wrote: only the training with facts and prompts is done
  --width N      numbers of a vector (96)
  --out FILE     default bin/assets/word-meanings.bin
`;
const options = {
  models: { type: 'string' },
  corpus: { type: 'string' },
  keep: { type: 'string' },
  table: { type: 'string' },
  width: { type: 'string', default: '96' },
  out: { type: 'string', default: path.join(ROOT, 'bin/assets/word-meanings.bin') },
  help: { type: 'boolean', default: false },
};
/** Tables of Lore whose words are not all in the vocabulary of the model. */
const TABLES = ['categories', 'everyday-words', 'synonyms', 'related-words'].map((name) => `src/memory/words/${name}.ts`);
const MODEL_WIDTH = 384;
const BATCH = 16;
const BLOCK = 2048;
/** A word that only the corpus has is taken if so many of its sentences hold it. */
const SENTENCES = 8;
const TRAINING = { epochs: 6, rate: 0.005, pull: 2 };
/** Of facts and prompts alone: a token that so many of them hold. */
const ASKED = 2;
/** Of other languages: so many of the commonest tokens, each in so many pairs. */
const FOREIGN = 18_000;
const PAIRS = 5;
/** A token that English has too is of another language if it is common there, and so many times as common as in English. */
const FOREIGN_COMMON = 200;
const FOREIGN_TIMES = 8;
/** The few vectors that are longer than this share of all are taken for as long. */
const LONGEST = 0.995;

/** English sentences, and pairs of a sentence in another language and the same in English. */
function readCorpus(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return {
    sentences: lines.filter((line) => !line.includes('\t')),
    pairs: lines.flatMap((line) => (line.includes('\t') ? [line.split('\t')] : [])),
  };
}

/** The words of the model's vocabulary, which stands in the order of their frequency, those of the tables, and those of the corpus. Each with its share of all words. */
function wordsOf(models, sentences) {
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
  const others = [...new Set(ofTables)].filter((word) => !known.has(word)).toSorted((a, b) => (a < b ? -1 : 1));
  for (const word of others) known.add(word);
  const counts = new Map();
  for (const sentence of sentences)
    for (const word of new Set(sentence.toLowerCase().match(/(?<![\p{L}\d])[a-z]{2,}(?![\p{L}\d])/gu)))
      if (!known.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ofCorpus = [...counts].filter(([, count]) => count >= SENTENCES).toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const words = [...own, ...others, ...ofCorpus.map(([word]) => word)];
  return words.map((word, at) => ({ word, share: 1 / ((Math.min(at, own.length) + 1) * Math.log(own.length)) }));
}

/** What the model says of each text, from the file where it is there. */
async function vectorsOf(texts, { models, file }) {
  if (!existsSync(file)) {
    const embed = await openEmbedder(models, MODEL);
    const part = openSync(`${file}.part`, 'w');
    for (let at = 0; at < texts.length; at += BLOCK) writeSync(part, await blockOf(texts.slice(at, at + BLOCK), embed));
    closeSync(part);
    renameSync(`${file}.part`, file);
  }
  const rows = new Float32Array(readFileSync(file).buffer);
  if (rows.length !== texts.length * MODEL_WIDTH) throw new Error(`${file} is not of these ${texts.length} texts`);
  return rows;
}

/** Texts of one length together: the model fills up short ones. */
async function blockOf(texts, embed) {
  const rows = new Float32Array(texts.length * MODEL_WIDTH);
  const order = [...texts.keys()].toSorted((a, b) => texts[a].length - texts[b].length || a - b);
  for (let at = 0; at < order.length; at += BATCH) {
    const some = order.slice(at, at + BATCH);
    const vectors = await embed(some.map((nth) => texts[nth]));
    for (const [k, nth] of some.entries()) rows.set(vectors[k], nth * MODEL_WIDTH);
  }
  return new Uint8Array(rows.buffer);
}

/** Token of the index, but for stop words -> the places of its words. */
function tokensOf(words, { tokenize, isStopWord }) {
  const found = new Map();
  for (const [at, { word }] of words.entries()) {
    const [token, ...more] = tokenize(word);
    if (token === undefined || more.length > 0 || isStopWord(token)) continue;
    found.set(token, [...(found.get(token) ?? []), at]);
  }
  return found;
}

/** Where the vectors stand before the training: the words of a token, averaged by how common they are, as long as the token is rare. */
function beginnings(tokens, { words, rows, width }) {
  const vectors = new Float32Array(tokens.size * width);
  for (const [nth, places] of [...tokens.values()].entries()) {
    const row = new Float64Array(width);
    const all = places.reduce((sum, at) => sum + words[at].share, 0);
    for (const at of places) for (let k = 0; k < width; k++) row[k] += words[at].share * rows[at * width + k];
    const length = Math.sqrt(dot(row, 0, row, 0, width)) || 1;
    for (let k = 0; k < width; k++) vectors[nth * width + k] = (row[k] / length) * (COMMON / (COMMON + all));
  }
  return vectors;
}

/** How many of the texts hold each token. */
function countsOf(texts) {
  const counts = new Map();
  for (const tokens of texts) for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** The commonest tokens of other languages: those that English has not, and those that it has far less often ("die", "pour"). */
function foreignTokens(foreign, english, tokens) {
  const inEnglish = countsOf(english);
  const isRarer = (token, count) => (inEnglish.get(token) ?? 0) / english.length < count / foreign.length / FOREIGN_TIMES;
  return [...countsOf(foreign)]
    .filter(
      ([token, count]) =>
        count >= PAIRS && /\p{L}{2}/u.test(token) && (!tokens.has(token) || (count >= FOREIGN_COMMON && isRarer(token, count))),
    )
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, FOREIGN);
}

/** Form: see src/embeddings/word-meanings.ts. The length of a vector is the weight of its token. */
function tableOf(names, vectors, width) {
  const text = Buffer.from(names.join('\n'));
  const head = Buffer.alloc(12);
  head.writeUInt32LE(names.length, 0);
  head.writeUInt32LE(width, 4);
  head.writeUInt32LE(text.length, 8);
  const lengths = Float64Array.from(names, (_, nth) => Math.sqrt(dot(vectors, nth * width, vectors, nth * width, width)));
  const longest = lengths.toSorted()[Math.floor(LONGEST * (names.length - 1))];
  const body = Buffer.alloc(names.length * (width + 1));
  for (let nth = 0; nth < names.length; nth++) {
    const row = vectors.subarray(nth * width, (nth + 1) * width);
    const most = Math.max(...row.map(Math.abs)) || 1;
    body.writeUInt8(Math.min(255, Math.round((255 * lengths[nth]) / longest)), nth * (width + 1));
    for (const [k, number] of row.entries()) body.writeInt8(Math.round((127 * number) / most), nth * (width + 1) + 1 + k);
  }
  return Buffer.concat([head, text, body]);
}

/** The names and vectors of a table, as `tableOf` wrote them. */
function readTable(file) {
  const bytes = readFileSync(file);
  const [count, width, textBytes] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const start = 12 + textBytes;
  const vectors = new Float32Array(count * width);
  for (let nth = 0; nth < count; nth++) {
    const from = start + nth * (width + 1);
    const row = Float64Array.from({ length: width }, (_, k) => bytes.readInt8(from + 1 + k));
    const length = Math.sqrt(dot(row, 0, row, 0, width)) || 1;
    for (let k = 0; k < width; k++) vectors[nth * width + k] = (row[k] / length) * (bytes[from] / 255);
  }
  return { names: bytes.toString('utf8', 12, start).split('\n'), vectors, width };
}

/** Vectors that foretell what the model says of the sentences of a corpus. */
async function trained({ models, corpus, keep, width }, { telling, tokenizer }) {
  const { sentences, pairs } = readCorpus(corpus);
  const words = wordsOf(models, sentences);
  mkdirSync(keep, { recursive: true });
  writeFileSync(path.join(keep, 'words.txt'), `${words.map(({ word }) => word).join('\n')}\n`);
  const ofWords = await vectorsOf(
    words.map(({ word }) => word),
    { models, file: path.join(keep, 'words.f32') },
  );
  const ofSentences = await vectorsOf(sentences, { models, file: path.join(keep, 'sentences.f32') });
  const mean = meanOf(ofSentences, MODEL_WIDTH);
  const axes = principal(ofSentences, { mean, count: width });
  const targets = projected(ofSentences, { mean, axes });
  const rows = projected(ofWords, { mean: meanOf(ofWords, MODEL_WIDTH), axes });
  const english = sentences.map(telling);
  const foreign = pairs.map(([text]) => telling(text));
  const tokens = tokensOf(words, tokenizer);
  const others = foreignTokens(foreign, english, tokens);
  for (const [token] of others) tokens.delete(token);
  const names = [...tokens.keys(), ...others.map(([token]) => token)];
  const idsOf = idsIn(names);
  const vectors = new Float32Array(names.length * width);
  vectors.set(beginnings(tokens, { words, rows, width }));
  train(vectors, { texts: english.map(idsOf), targets, width, ...TRAINING });
  // What an English text is about is told by its tokens from here on; those of its translation are moved there.
  const texts = foreign.map(idsOf);
  const meant = sums(vectors, { texts: pairs.map(([, text]) => idsOf(telling(text)).filter((id) => id < tokens.size)), width });
  begin(vectors, { from: tokens.size, texts, targets: meant, width });
  train(vectors, { texts, targets: meant, width, ...TRAINING, fixed: tokens.size });
  return { names, vectors, width };
}

/** Tokens -> the places of those that are among the names. */
function idsIn(names) {
  const idOf = new Map(names.map((name, nth) => [name, nth]));
  return (tokens) => tokens.map((token) => idOf.get(token)).filter((id) => id !== undefined);
}

/** The same table after the training with facts and prompts. Tokens that only they have begin at 0. */
function matched(table, { asked, width }) {
  const known = new Set(table.names);
  const added = [...countsOf(asked.flatMap(({ fact, prompts }) => [fact, ...prompts]))].filter(
    ([token, count]) => count >= ASKED && !known.has(token) && /^\p{L}{2,}$/u.test(token),
  );
  const names = [...table.names, ...added.map(([token]) => token)];
  const vectors = new Float32Array(names.length * width);
  vectors.set(table.vectors);
  const idsOf = idsIn(names);
  const items = asked.map(({ fact, prompts, project }) => ({ fact: idsOf(fact), prompts: prompts.map(idsOf), project }));
  match(vectors, { items, width });
  return { names, vectors };
}

async function main({ table: from, width: wanted, out, ...given }) {
  const tokenizer = await import('../../../dist/memory/words/tokens.js');
  const telling = (text) => [...new Set(tokenizer.tokenize(text))].filter((token) => !tokenizer.isStopWord(token));
  const before = from === undefined ? await trained({ ...given, width: Number(wanted) }, { telling, tokenizer }) : readTable(from);
  const { width } = before;
  const asked = readFacts().map(({ fact, prompts, project }) => ({ fact: telling(fact), prompts: prompts.map(telling), project }));
  const { names, vectors } = matched(before, { asked, width });
  const table = tableOf(names, vectors, width);
  writeFileSync(out, table);
  process.stdout.write(`${out}: ${names.length} tokens, ${table.length} bytes\n`);
}

const parse = () => {
  const { values } = parseArgs({ options });
  if (!values.help && values.table === undefined && [values.models, values.corpus, values.keep].includes(undefined))
    throw new Error('--models, --corpus and --keep are needed, or --table');
  return values;
};

await runCommand({ usage: USAGE, parse, main });
