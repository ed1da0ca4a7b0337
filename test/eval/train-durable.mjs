// npm run train:durable: makes src/memory/capture/durable/durable-weights.ts from the labelled texts that are not held out. Build before and after.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLines } from './dataset.mjs';
import { simulatedDay } from './capture-day.mjs';
import { trainClassifier, writeClassifier } from './model/classifier.mjs';
import { readProjects, SETS } from './sessions/projects.mjs';
import { featuresOf } from '../../dist/memory/capture/durable/durable-features.js';
import { redact } from '../../dist/memory/secrets/redaction.js';

const OUT = fileURLToPath(new URL('../../src/memory/capture/durable/durable-weights.ts', import.meta.url));
/** Texts by others, whom the rules were not made for, say more of what is to come. */
const WEIGHT_OF_OTHERS = 3;
const WEIGHT_OF_OWN = 2;
/** Templates say the same again and again. */
const WEIGHT_OF_DAY = 0.3;

/** In the pairs of facts and prompts nobody says anything that is to be kept. */
/** Sets by others who speak as people do. */
const BLIND = new Set(['fifth', 'sixth', 'training']);
const SPOKEN = Object.keys(SETS).filter((set) => set !== 'pairs');

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
function ofLines(file, weight) {
  const text = readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, sign, before, said] = /^([+-]) (?:(.*) ⇒ )?(.*)$/.exec(line) ?? [];
    return sign === undefined ? [] : [{ text: said, before, isDurable: sign === '+', weight }];
  });
}

const labelled = [
  ...ofTurns('turns.jsonl', 1),
  ...ofTurns('turns-second.jsonl', WEIGHT_OF_OTHERS),
  ...SPOKEN.flatMap((set) => ofSessions(set, BLIND.has(set) ? WEIGHT_OF_OTHERS : 1)),
  ...ofDay(WEIGHT_OF_DAY),
  ...['capture-training.txt', 'capture-training-second.txt'].flatMap((file) => ofLines(file, WEIGHT_OF_OWN)),
];
const examples = labelled.map(({ text, before, isDurable, weight }) => ({
  features: featuresOf({ text: redact(text).text, before }),
  is: isDurable,
  weight,
}));
const table = trainClassifier(examples);
writeClassifier(OUT, table, { name: 'DURABLE', maker: 'test/eval/train-durable.mjs' });
const durable = examples.filter(({ is }) => is).length;
process.stdout.write(`${examples.length} turns, ${durable} of them durable; ${table.weights.length} characters.\n`);
