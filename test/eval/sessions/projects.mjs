// Scripted projects of test/eval/data/sessions: reads them, and tells what each of their words means (docs/quality.md, "Sessions").
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../data/sessions', import.meta.url));
const FACT = /^(\S+) (\w+)(?: > (\S+))? = (.+) :: (.+)$/;
const TOOL = /^(\S+) (.+?) => (.*)$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The same letters for the same name: a secret that is no real one, in the form of `kind`. */
function secretOf(kind, name) {
  let state = [...name, ...kind].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) >>> 0, 7);
  const letters = (count) =>
    Array.from({ length: count }, () => ALPHABET[(state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 27]).join('');
  const forms = { github: () => `ghp_${letters(36)}`, aws: () => `AKIA${letters(16)}`, openai: () => `sk-proj-${letters(40)}` };
  return (forms[kind] ?? (() => `hunter2_${letters(12)}`))();
}

function turnOf(verb, rest) {
  switch (verb) {
    case 'user':
    case 'assistant':
      return { does: verb, text: rest };
    case 'idle':
      return { does: 'idle', text: rest.replace(/^= /, '') };
    case 'ask': {
      const [fact, text] = rest.split(/ = (.*)/s);
      return { does: 'ask', fact, text };
    }
    case 'edit':
      return { does: 'edit', file: rest };
    case 'ok':
    case 'fail': {
      const [, tool, command, output] = TOOL.exec(rest);
      return { does: 'run', tool, command, output: output.replaceAll('\\n', '\n'), failed: verb === 'fail' };
    }
    default:
      throw new Error(`unknown word in a script: ${verb}`);
  }
}

function parse(text) {
  const project = { facts: new Map(), sessions: [], secrets: [] };
  const filled = (name, line) =>
    line.replaceAll(/\{(\w+)\}/g, (_, kind) => {
      const secret = secretOf(kind, name);
      project.secrets.push(secret);
      return secret;
    });
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [verb, rest = ''] = line.split(/ (.*)/s);
    if (['project', 'client', 'about'].includes(verb)) project[verb === 'project' ? 'name' : verb] = rest;
    else if (verb === 'split') project.heldOut = rest === 'held-out';
    else if (verb === 'session') project.sessions.push({ daysAgo: Number(rest), turns: [] });
    else if (verb === 'fact') {
      const [, id, kind, replaces, said, words] = FACT.exec(rest);
      const fact = { id, kind, replaces, text: said, words: words.split(' & ').map((word) => word.toLowerCase()) };
      project.facts.set(id, fact);
      project.sessions.at(-1).turns.push({ does: 'fact', fact });
    } else project.sessions.at(-1).turns.push(turnOf(verb, filled(project.name, rest)));
  }
  return project;
}

/** All of them: { name, client, about, heldOut, facts: id -> { kind, text, words, replaces }, sessions: [{ daysAgo, turns }], secrets }. */
export function readProjects() {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => parse(readFileSync(`${FOLDER}/${name}`, 'utf8')));
}

/** Whether a text says the fact: it has all of its words. */
export const says = (text, fact) => {
  const lower = text.toLowerCase();
  return fact.words.every((word) => lower.includes(word));
};

/** The facts that another one of `known` took the place of and that `text` tells as if they held: without the words of the newer one. */
export function outdatedIn(text, { facts, known }) {
  return [...known].filter((newer) => newer.replaces !== undefined && says(text, facts.get(newer.replaces)) && !says(text, newer));
}
