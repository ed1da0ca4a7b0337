// node test/eval/model/needs-memory.mjs: makes src/service/recall/needs-memory-weights.ts (docs/adr/0069). Build before and after.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { featuresOf } from '../../../dist/memory/capture/durable/durable-features.js';
import { trainClassifier, writeClassifier } from './classifier.mjs';
import { readFacts } from './facts.mjs';

const OUT = fileURLToPath(new URL('../../../src/service/recall/needs-memory-weights.ts', import.meta.url));
/** Prompts without a need are fewer here than they are in a day. */
const WEIGHT_OF_IDLE = 6;
/** Orders around git and releases, for which there often is a rule, look idle. */
const WEIGHT_OF_CHORES = 4;

function idlePrompts() {
  const lines = readFileSync(new URL('../data/idle-prompts.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => ({
    text: line.slice(2),
    is: line.startsWith('+'),
    weight: line.startsWith('+') ? WEIGHT_OF_CHORES : WEIGHT_OF_IDLE,
  }));
}

const asked = readFacts().flatMap(({ prompts }) => prompts.map((text) => ({ text, is: true, weight: 1 })));
const examples = [...idlePrompts(), ...asked].map(({ text, ...about }) => ({ ...about, features: featuresOf({ text }) }));
const table = trainClassifier(examples, { least: 4, smallest: 0.02, epochs: 8, seeds: [1, 2] });
writeClassifier(OUT, table, { name: 'NEEDS_MEMORY', maker: 'test/eval/model/needs-memory.mjs' });
process.stdout.write(`${examples.length} prompts, ${asked.length} of them of facts; ${table.weights.length} characters.\n`);
