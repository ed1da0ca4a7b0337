// Scripted projects of test/eval/data/sessions: reads them, and tells what each of their words means (docs/quality.md, "Sessions").
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FACT = /^(\S+) (\w+)(?:@(\w+))?(?: > (\S+))? = (.+) :: (.+?)(?: !! (.+))?$/;
const MINUTE = /\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?/g;
const TOOL = /^(\S+) (.+?) => (.*)$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The sets: one to tune on, one that others wrote without knowing the first nor the rules, two small ones in the form of the second, two more of others, and one that serves training only. */
export const SETS = {
  first: 'sessions',
  second: 'sessions-second',
  third: 'sessions-third',
  fourth: 'sessions-fourth',
  fifth: 'sessions-fifth',
  sixth: 'sessions-sixth',
  pairs: 'sessions-pairs',
  training: 'sessions-training',
  corrections: 'sessions-corrections',
};

/** The same letters for the same name: a secret that is no real one, in the form of `kind`. */
function secretOf(kind, name) {
  let state = [...name, ...kind].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) >>> 0, 7);
  const letters = (count) =>
    Array.from({ length: count }, () => ALPHABET[(state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 27]).join('');
  const forms = {
    github: () => `ghp_${letters(36)}`,
    aws: () => `AKIA${letters(16)}`,
    openai: () => `sk-proj-${letters(40)}`,
    stripe: () => `sk_test_51${letters(32)}`,
    awssecret: () => mixedCase(letters(40)),
    mapbox: () => `sk.eyJ1Ijoi${mixedCase(letters(24))}.${mixedCase(letters(16))}`,
    butler: () => `bk_${mixedCase(letters(20))}`,
    jwt: () => `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJk${mixedCase(letters(12))}.${mixedCase(letters(26))}`,
  };
  return (forms[kind] ?? (() => `hunter2_${letters(12)}`))();
}

const mixedCase = (letters) => [...letters].map((letter, nth) => (nth % 3 === 1 ? letter.toLowerCase() : letter)).join('');

/** Line breaks are written as `\n`. */
const unescaped = (text) => text.replaceAll(/\\(n|\\)/g, (_, letter) => (letter === 'n' ? '\n' : '\\'));

/** `a|b & c`: all of them, of `a|b` one. */
const wordsOf = (text) =>
  text
    .toLowerCase()
    .split(' & ')
    .map((word) => word.split('|'));

function turnOf(verb, rest) {
  switch (verb) {
    case 'user':
    case 'assistant':
    case 'save':
      return { does: verb, text: unescaped(rest) };
    case 'idle':
      return { does: 'idle', text: unescaped(rest.replace(/^= /, '')) };
    case 'ask': {
      const [, fact, text, words] = /^(\S+) = (.*?)(?: :: (.+))?$/.exec(rest);
      return { does: 'ask', fact, text: unescaped(text), words: words && wordsOf(words) };
    }
    case 'edit':
    case 'read': {
      const [file, before = 'old', after = 'new'] = rest.split(/ => ?/);
      return { does: verb, file, before: unescaped(before), after: unescaped(after) };
    }
    case 'start':
    case 'compact':
    case 'end':
      return { does: verb, reason: rest };
    case 'ok':
    case 'fail': {
      const [, tool, command, output] = TOOL.exec(rest);
      return { does: 'run', tool, command: unescaped(command), output: unescaped(output), failed: verb === 'fail' };
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
    if (['project', 'client', 'about', 'language'].includes(verb)) project[verb === 'project' ? 'name' : verb] = rest;
    else if (verb === 'split') project.heldOut = rest === 'held-out';
    else if (verb === 'secret') project.secrets.push(rest);
    else if (verb === 'session') project.sessions.push({ daysAgo: Number(rest), turns: [] });
    else if (verb === 'fact') {
      const [, id, kind, language = project.language, replaces, said, words, outdated] = FACT.exec(rest);
      const fact = { id, kind, language, replaces, text: said, words: wordsOf(words), outdated: outdated && wordsOf(outdated) };
      project.facts.set(id, fact);
      project.sessions.at(-1).turns.push({ does: 'fact', fact });
    } else project.sessions.at(-1).turns.push(turnOf(verb, filled(project.name, rest)));
  }
  project.tellsEnds = project.sessions.some(({ turns }) => turns.some(({ does }) => does === 'end'));
  return project;
}

/** All of a set: { name, client, about, language, heldOut, facts: id -> { kind, text, words, replaces, outdated }, sessions: [{ daysAgo, turns }], secrets }. */
export function readProjects(set) {
  const folder = fileURLToPath(new URL(`../data/${SETS[set]}`, import.meta.url));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => parse(readFileSync(`${folder}/${name}`, 'utf8')));
}

/** A number stands alone: 14 is no part of 192.168.2.14. */
const holds = (text, word) => (/^\d+$/.test(word) ? new RegExp(`(?<![\\d.])${word}(?!\\d|\\.\\d)`).test(text) : text.includes(word));

/** Whether a text has all of the words; when it was said does not count. */
export const says = (text, { words }) => {
  const lower = text.replaceAll(MINUTE, '').toLowerCase();
  return words.every((any) => any.some((word) => holds(lower, word)));
};

/** The facts that another one of `known` took the place of and that `text` tells as if they held: without the words of the newer one. */
export function outdatedIn(text, { facts, known }) {
  return [...known].filter(
    (newer) =>
      newer.replaces !== undefined && says(text, { words: newer.outdated ?? facts.get(newer.replaces).words }) && !says(text, newer),
  );
}
