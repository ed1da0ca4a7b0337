// What tells duplicates from facts that are only alike, and what a newer text says of an older one: both on labelled pairs, without a store.
import { fileURLToPath } from 'node:url';
import { ConfigSchema } from '../../dist/config/schema.js';
import { embedText } from '../../dist/embeddings/builtin.js';
import { dotProduct } from '../../dist/memory/dot-product.js';
import { mayOutdate } from '../../dist/memory/relation-cues/outdating.js';
import { cueOf } from '../../dist/memory/relation-cues/relation-cues.js';
import { likenessOf } from '../../dist/memory/same-fact/likeness.js';
import { differenceOf } from '../../dist/memory/same-fact/same-fact.js';
import { table } from '../bench/markdown.mjs';
import { isAnswerable, readLines } from './dataset.mjs';

const NEIGHBOURS = 10;
const SPLITS = ['tune', 'held-out', 'all'];
const RELATIONS = ['supersedes', 'contradicts', 'elaborates'];
const { memory, compaction } = ConfigSchema.parse({});
const LINKED = memory.deduplicationThreshold;
const ARCHIVED = compaction.deduplicationSimilarityThreshold;

/** By place in the file: every third line is held out. */
const withSplit = (rows) => rows.map((row, nth) => ({ ...row, split: nth % 3 === 2 ? 'held-out' : 'tune' }));
const readRows = (file) => readLines(fileURLToPath(new URL(`data/${file}`, import.meta.url)));
const read = (file) => withSplit(readRows(file));
const inSplit = (rows, split) => rows.filter((row) => split === 'all' || row.split === split);

/** One rule is a name and whether it takes a pair for the same. */
const RULES = [
  ['same content after NFC (at save)', ({ a, b }) => a.normalize('NFC') === b.normalize('NFC')],
  [`cosine >= ${ARCHIVED}`, ({ cosine }) => cosine >= ARCHIVED],
  [`cosine >= ${LINKED}`, ({ cosine }) => cosine >= LINKED],
  [`words >= ${LINKED}, nothing telling (near duplicate)`, ({ similarity, telling }) => similarity >= LINKED && telling === undefined],
  [`words >= ${LINKED}, no negation (relation similar)`, ({ similarity, telling }) => similarity >= LINKED && telling !== 'negation'],
  [`words >= ${ARCHIVED}, no difference (compaction)`, ({ similarity, difference }) => similarity >= ARCHIVED && difference === undefined],
  ['no difference, whatever the similarity', ({ a, b }) => differenceOf(a, b) === undefined],
];

const fixed = (value) => (Number.isFinite(value) ? value.toFixed(3) : '-');

function count(pairs, isSame) {
  const taken = pairs.filter(isSame);
  const right = taken.filter(({ label }) => label === 'same').length;
  const same = pairs.filter(({ label }) => label === 'same').length;
  return { right, wrong: taken.length - right, same, different: pairs.length - same };
}

function rules(pairs) {
  const rows = RULES.map(([name, isSame]) => [
    name,
    ...SPLITS.map((split) => {
      const { right, wrong, same } = count(inSplit(pairs, split), isSame);
      return `${fixed(right / (right + wrong))} / ${fixed(right / same)} / ${wrong}`;
    }),
  ]);
  const head = ['taken for the same', ...SPLITS];
  return `### Duplicates: precision / recall / false merges\n\n${table(head, rows)}`;
}

function byGroup(pairs) {
  const groups = [...new Set(pairs.map(({ group }) => group))];
  const rows = groups.map((group) => {
    const own = pairs.filter((pair) => pair.group === group);
    const counts = RULES.map(([, isSame]) => count(own, isSame));
    const [{ same, different }] = counts;
    return [group, different, same, ...counts.map(({ wrong, right }) => `${wrong} / ${right}`)];
  });
  const letters = RULES.map((_, nth) => String.fromCharCode(97 + nth));
  const legend = RULES.map((rule, nth) => `${letters[nth]}: ${String(rule[0])}`).join('; ');
  const head = ['group', 'different', 'same', ...letters];
  return `### Duplicates by group: false merges / found\n\n${legend}.\n\n${table(head, rows)}`;
}

function differences(pairs) {
  const kinds = new Map();
  for (const { a, b } of pairs.filter(({ label }) => label === 'different')) {
    const kind = differenceOf(a, b) ?? 'none';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const counted = [...kinds].toSorted(([, one], [, other]) => other - one).map(([kind, times]) => `${kind} ${times}`);
  return `Different pairs are told apart by: ${counted.join(', ')}.`;
}

function relations(pairs) {
  const answered = pairs.map((pair) => ({ ...pair, answer: cueOf(pair.newer, pair.older)?.type ?? 'none' }));
  const rows = RELATIONS.map((type) => [
    type,
    ...SPLITS.map((split) => {
      const asked = inSplit(answered, split);
      const given = asked.filter(({ answer }) => answer === type);
      const right = given.filter((pair) => pair.type === type).length;
      return `${right} of ${asked.filter((pair) => pair.type === type).length}, ${given.length - right} false`;
    }),
  ]);
  return `### Relations from explicit cues: found, false\n\n${table(['relation', ...SPLITS], rows)}`;
}

/** Statements with words of change beside an older one: which supersede it, and which at least stand marked. */
function corrections(pairs) {
  const row = (name, own) => {
    const [right, wrong] = ['supersedes', 'none'].map((type) => own.filter((pair) => pair.type === type));
    const sum = (of, is) => of.filter(({ newer, older }) => is(newer, older)).length;
    const supersedes = (newer, older) => cueOf(newer, older)?.type === 'supersedes';
    const [found, isFalse] = [sum(right, supersedes), sum(wrong, supersedes)];
    const marks = [right, wrong].map((of) => sum(of, mayOutdate));
    return [
      name,
      right.length,
      found,
      isFalse,
      (found / right.length).toFixed(2),
      (found / (found + isFalse)).toFixed(2),
      ...marks,
      wrong.length,
    ];
  };
  const head = ['corrections', 'true', 'superseded', 'falsely', 'recall', 'precision', 'marked', 'falsely marked', 'only alike'];
  const rows = [
    row(
      'tuned on',
      pairs.filter(({ held }) => !held),
    ),
    row(
      'held out',
      pairs.filter(({ held }) => held),
    ),
  ];
  return `### Corrections\n\n${table(head, rows)}`;
}

/** What a store would do: every memory beside the nearest older ones of its namespace. */
function amongMemories() {
  const memories = readRows('memories.jsonl').map((memory) => ({ ...memory, vector: embedText(memory.content) }));
  const corrected = new Set(
    readRows('queries.jsonl')
      .filter(isAnswerable)
      .flatMap(({ relevant, superseded = [] }) =>
        Object.keys(relevant)
          .filter((id) => relevant[id] === 3)
          .flatMap((id) => superseded.map((old) => `${id} ${old}`)),
      ),
  );
  const found = memories.flatMap((newer) =>
    nearestOlder(newer, memories)
      .filter((older) => cueOf(newer.content, older.content)?.type === 'supersedes')
      .map((older) => `${newer.id} ${older.id}`),
  );
  const right = found.filter((pair) => corrected.has(pair)).length;
  return (
    `Among the ${memories.length} memories, each beside its ${NEIGHBOURS} nearest older ones, ${found.length} are called superseded: ${right} of the ` +
    `${corrected.size} that are labelled as corrected, ${found.length - right} others.`
  );
}

function nearestOlder(memory, memories) {
  return memories
    .filter((older) => older.namespace === memory.namespace && older.createdAt < memory.createdAt)
    .map((older) => ({ older, similarity: dotProduct(memory.vector, older.vector) }))
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, NEIGHBOURS)
    .map(({ older }) => older);
}

/** Every table on the labelled pairs, as Markdown. Cosines are those of the builtin embedder. */
export function pairsReport() {
  const pairs = read('pairs.jsonl').map((pair) => ({
    ...pair,
    ...likenessOf(pair.a, pair.b),
    cosine: dotProduct(embedText(pair.a), embedText(pair.b)),
  }));
  const related = read('relations.jsonl');
  const { same, different } = count(pairs, () => false);
  const facts =
    `${pairs.length} pairs of memories: ${different} different, ${same} the same. ` +
    `${related.length} pairs of a newer and an older memory, of which ${related.filter(({ type }) => type !== 'none').length} are related by what the newer says. ` +
    'Cosine: builtin embedder.';
  return [
    facts,
    rules(pairs),
    differences(pairs),
    byGroup(pairs),
    relations(related),
    corrections(read('corrections.jsonl')),
    amongMemories(),
  ].join('\n\n');
}
