// npm run train:durable: makes src/memory/capture/durable/durable-weights.ts from the labelled texts that are not held out. Build before and after.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLines } from './dataset.mjs';
import { simulatedDay } from './capture-day.mjs';
import { readProjects, SETS } from './sessions/projects.mjs';
import { featuresOf } from '../../dist/memory/capture/durable/durable-features.js';
import { placeOf, strengthOf } from '../../dist/memory/capture/durable/durable.js';
import { redact } from '../../dist/memory/secrets/redaction.js';

const OUT = fileURLToPath(new URL('../../src/memory/capture/durable/durable-weights.ts', import.meta.url));
/** A feature of one turn alone says nothing. */
const LEAST_TURNS = 2;
const EPOCHS = 16;
const SEEDS = [1, 2, 3, 4];
const RATE = 0.03;
const DECAY = 0.05;
/** Texts by others, whom the rules were not made for, say more of what is to come. */
const WEIGHT_OF_OTHERS = 3;
const WEIGHT_OF_OWN = 2;
/** Templates say the same again and again. */
const WEIGHT_OF_DAY = 0.3;

const normal = (text) => text.replaceAll(/\s+/g, ' ').toLowerCase();

/** Turns of persons in `turns*.jsonl`, where it is clear whether they are worth keeping. */
function ofTurns(file, weight) {
  const items = readLines(fileURLToPath(new URL(`data/${file}`, import.meta.url)));
  return items.flatMap(({ turns, keep, may = [], kind }, at) => {
    if (at % 3 === 2) return [];
    const last = turns.findLastIndex(({ person }) => person !== undefined);
    return turns.flatMap(({ person }, nth) => {
      if (person === undefined) return [];
      const before = turns[nth - 1]?.assistant;
      if (nth !== last) return kind === 'correction' ? [{ text: person, before, isDurable: true, weight }] : [];
      if (keep.length === 0) return may.length > 0 ? [] : [{ text: person, before, isDurable: false, weight }];
      // What only the assistant said is not learnt from the person.
      const said = normal(`${before ?? ''} ${person}`);
      const isSaid = keep.some((words) => words.filter((word) => said.includes(normal(word))).length * 2 >= words.length);
      return isSaid ? [{ text: person, before, isDurable: true, weight }] : [];
    });
  });
}

/** Prompts of the scripted projects: durable where a fact follows. */
function ofSessions(set, weight) {
  const projects = readProjects(set).filter(({ heldOut }) => !heldOut);
  return projects.flatMap(({ sessions }) =>
    sessions.flatMap(({ turns }) =>
      turns.flatMap(({ does, text }, at) => {
        if (!['user', 'ask', 'idle'].includes(does)) return [];
        const before = turns.slice(0, at).findLast((turn) => ['user', 'ask', 'idle', 'assistant'].includes(turn.does));
        const isDurable = does === 'user' && turns[at + 1]?.does === 'fact';
        return [{ text, before: before?.does === 'assistant' ? before.text : undefined, isDurable, weight }];
      }),
    ),
  );
}

/** Statements and requests of the simulated day, each once. */
function ofDay(weight) {
  const texts = new Map(
    simulatedDay().events.flatMap(({ event, kind, heldOut }) =>
      heldOut || !['statement', 'request'].includes(kind) ? [] : [[event.text, kind]],
    ),
  );
  return [...texts].map(([text, kind]) => ({ text, isDurable: kind === 'statement', weight }));
}

/** `+ BEFORE ⇒ TEXT`, `- TEXT`. */
function ofOwn(weight) {
  const text = readFileSync(new URL('data/capture-training.txt', import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, sign, before, said] = /^([+-]) (?:(.*) ⇒ )?(.*)$/.exec(line) ?? [];
    return sign === undefined ? [] : [{ text: said, before, isDurable: sign === '+', weight }];
  });
}

/** Deterministic. */
function randomFrom(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296;
}

/** AdaGrad; the mean of the weights of the later half is surer than the last ones. */
function trained(examples, count, seed) {
  const random = randomFrom(seed);
  const order = [...examples];
  const [now, squares, sum] = [new Float64Array(count), new Float64Array(count).fill(1e-6), new Float64Array(count)];
  let [bias, biasSquares, biasSum, means] = [0, 1e-6, 0, 0];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other], order[at]];
    }
    for (const { columns, isDurable, weight } of order) {
      const strength = strengthOf(columns.length);
      const score = columns.reduce((total, column) => total + strength * now[column], bias);
      const error = weight * (1 / (1 + Math.exp(-score)) - (isDurable ? 1 : 0));
      for (const column of columns) {
        const step = error * strength + DECAY * now[column];
        squares[column] += step * step;
        now[column] -= (RATE * step) / Math.sqrt(squares[column]);
      }
      biasSquares += error * error;
      bias -= (RATE * error) / Math.sqrt(biasSquares);
    }
    if (epoch * 2 < EPOCHS) continue;
    means += 1;
    biasSum += bias;
    for (let column = 0; column < count; column++) sum[column] += now[column];
  }
  return { weights: sum.map((each) => each / means), bias: biasSum / means };
}

/** As `durable.ts` reads them: distances between places, and weights. */
function encoded(places, bytes) {
  const out = [];
  let last = 0;
  for (const [column, place] of places.entries()) {
    if (bytes[column] === 0) continue;
    let distance = place - last;
    last = place;
    for (; distance > 0x7f; distance >>>= 7) out.push((distance & 0x7f) | 0x80);
    out.push(distance, bytes[column] & 0xff);
  }
  return Buffer.from(out).toString('base64');
}

const labelled = [
  ...ofTurns('turns.jsonl', 1),
  ...ofTurns('turns-second.jsonl', WEIGHT_OF_OTHERS),
  ...Object.keys(SETS).flatMap((set) => ofSessions(set, set === 'fifth' ? WEIGHT_OF_OTHERS : 1)),
  ...ofDay(WEIGHT_OF_DAY),
  ...ofOwn(WEIGHT_OF_OWN),
];
const read = labelled.map(({ text, before, ...about }) => {
  const places = [...new Set(featuresOf({ text: redact(text).text, before }).map(placeOf))];
  return { ...about, places };
});
const turnsOf = new Map();
for (const place of read.flatMap(({ places }) => places)) turnsOf.set(place, (turnsOf.get(place) ?? 0) + 1);
const places = [...turnsOf.keys()].filter((place) => turnsOf.get(place) >= LEAST_TURNS).toSorted((a, b) => a - b);
const columnOf = new Map(places.map((place, column) => [place, column]));
const examples = read.map((each) => ({ ...each, columns: each.places.flatMap((place) => columnOf.get(place) ?? []) }));
const models = SEEDS.map((seed) => trained(examples, places.length, seed));
const mean = (of) => models.reduce((total, model) => total + of(model), 0) / models.length;
const weights = places.map((_, column) => mean((model) => model.weights[column]));
const most = Math.max(...weights.map(Math.abs));
const table = encoded(
  places,
  weights.map((weight) => Math.round((127 * weight) / most)),
);
writeFileSync(
  OUT,
  `// Made by test/eval/train-durable.mjs; do not edit.
export const BIAS = ${mean(({ bias }) => bias).toFixed(4)};
export const SCALE = ${(most / 127).toFixed(6)};
export const WEIGHTS =
  '${table}';
`,
);
const durable = examples.filter(({ isDurable }) => isDurable).length;
process.stdout.write(`${examples.length} turns, ${durable} of them durable; ${places.length} weights, ${table.length} characters.\n`);
