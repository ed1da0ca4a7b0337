// A simulated day of a few developers and their coding agents, as events of hooks with labels; the same for the same seed.
import { fileURLToPath } from 'node:url';
import { readLines } from './dataset.mjs';

const LINES = readLines(fileURLToPath(new URL('data/capture.jsonl', import.meta.url)));
const listed = (name) => LINES.filter(({ list }) => list === name);
const POOLS = Object.fromEntries(listed('pool').map(({ name, words }) => [name, words]));
const [STATEMENTS, REQUESTS, INJECTED, OUTCOMES, CHATTER, LASTING, COMMANDS, FAILURES, FIXES, TOOLS, KNOWN, ECHOES, SECRETS] = [
  'statement',
  'request',
  'injected',
  'outcome',
  'chatter',
  'lasting',
  'command',
  'failure',
  'fix',
  'tool',
  'known',
  'echo',
  'secret',
].map(listed);

const SESSIONS = 12;
const PROJECTS = ['acme/shop', 'acme/billing', 'lab/search', 'home/site'];
const CLIENTS = ['claude', 'claude', 'cursor', 'codex'];
const DAY_MS = 9 * 3_600_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.split('');
/** How often what happens, in parts of the whole. */
const MIX = [
  ['statement', 70],
  ['request', 150],
  ['injected', 40],
  ['outcome', 110],
  ['chatter', 160],
  ['lasting', 45],
  ['command', 420],
  ['failure', 50],
  ['fix', 40],
  ['tool', 480],
  ['echo', 90],
  ['repeat', 60],
  ['secret', 20],
  ['mixed', 40],
];

/** mulberry32. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class Day {
  constructor(seed) {
    this.random = randomFrom(seed);
    this.events = [];
    this.said = new Map();
    this.known = [];
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** A template, and whether it is held out. */
  template(list) {
    const at = Math.floor(this.random() * list.length);
    return { template: list[at], heldOut: at % 3 === 2 };
  }

  /** Fills the templates of one event with the same words. */
  filler() {
    const words = Object.fromEntries(Object.entries(POOLS).map(([name, pool]) => [name, this.pick(pool)]));
    return (text) =>
      text
        .replaceAll(/\{secret(\d+)\}/g, (_, length) => Array.from({ length: Number(length) }, () => this.pick(ALPHABET)).join(''))
        .replaceAll(/\{(\w+)\}/g, (whole, name) => words[name] ?? whole);
  }

  add(session, kind, fields, { gist, heldOut = false } = {}) {
    const { id, client, namespace } = session;
    session.at += Math.floor(this.random() * session.pace * 2);
    this.events.push({
      event: { client, session: id, namespace, at: session.at, ...fields },
      kind,
      heldOut,
      ...(gist !== undefined && { gist }),
    });
  }

  statement(session) {
    const { template, heldOut } = this.template(STATEMENTS);
    const fill = this.filler();
    const [text, gist] = [fill(template.text), fill(template.gist)];
    this.tell(session, { event: 'prompt', text }, { gist, heldOut, kind: 'statement', fact: text });
  }

  /** Worth keeping once in each project. */
  tell(session, fields, { gist, heldOut, kind, fact }) {
    const key = `${session.namespace}\n${fact}`;
    const isNew = !this.said.has(key);
    this.said.set(key, fields);
    this.add(session, isNew ? kind : 'repeat', fields, isNew ? { gist, heldOut } : { heldOut });
  }

  outcome(session) {
    const { template, heldOut } = this.template(OUTCOMES);
    const fill = this.filler();
    const text = fill(template.text);
    this.tell(session, { event: 'response', text }, { gist: fill(template.gist), heldOut, kind: 'outcome', fact: text });
  }

  /** A request and a statement in one prompt. */
  mixed(session) {
    const { template, heldOut } = this.template(STATEMENTS);
    const fill = this.filler();
    const fact = fill(template.text);
    const text = `${fill(this.pick(REQUESTS.filter((request) => request.text.length > 30)).text)}\n\n${fact}`;
    this.tell(session, { event: 'prompt', text }, { gist: fill(template.gist), heldOut, kind: 'mixed', fact });
  }

  request(session) {
    const { template, heldOut } = this.template(REQUESTS);
    this.add(session, 'request', { event: 'prompt', text: this.filler()(template.text) }, { heldOut });
  }

  injected(session) {
    const { template, heldOut } = this.template(INJECTED);
    this.add(session, 'injected', { event: 'prompt', text: this.filler()(template.text) }, { heldOut });
  }

  chatter(session) {
    const { template, heldOut } = this.template(CHATTER);
    this.add(session, 'chatter', { event: 'response', text: this.filler()(template.text) }, { heldOut });
  }

  shell(session, kind, { input, output }, fill, label) {
    this.add(session, kind, { event: 'tool', tool: 'Bash', input: fill(input), output: fill(output) }, label);
  }

  lasting(session) {
    const { template, heldOut } = this.template(LASTING);
    const fill = this.filler();
    const fields = { event: 'tool', tool: 'Bash', input: fill(template.input), output: fill(template.output) };
    this.tell(session, fields, { gist: fill(template.gist), heldOut, kind: 'lasting', fact: `${fields.input}\n${fields.output}` });
  }

  command(session) {
    const { template, heldOut } = this.template(COMMANDS);
    this.shell(session, 'command', template, this.filler(), { heldOut });
  }

  failure(session) {
    const { template, heldOut } = this.template(FAILURES);
    this.shell(session, 'failure', template, this.filler(), { heldOut });
  }

  fix(session) {
    const { template, heldOut } = this.template(FIXES);
    const fill = this.filler();
    const { command, error, step, passes, gist } = template;
    this.shell(session, 'failure', { input: command, output: error }, fill, { heldOut });
    this.add(session, 'tool', { event: 'tool', tool: step.tool, input: fill(step.input), output: fill(step.output) }, { heldOut });
    const fields = { event: 'tool', tool: 'Bash', input: fill(command), output: fill(passes) };
    this.tell(session, fields, { gist: fill(gist), heldOut, kind: 'fix', fact: [command, error, step.input].map(fill).join('\n') });
  }

  tool(session) {
    const { template, heldOut } = this.template(TOOLS);
    const fill = this.filler();
    this.add(
      session,
      'tool',
      { event: 'tool', tool: template.tool, input: fill(template.input), output: fill(template.output) },
      { heldOut },
    );
  }

  echo(session) {
    const { template, heldOut } = this.template(ECHOES);
    const known = this.pick(this.known.filter(({ namespace }) => namespace === session.namespace)).content;
    const fill = (text) =>
      text
        .replace('{known}', known)
        .replace('{spaced}', known.replaceAll(' ', '  ').replace(/,\s+/, ',\n   '))
        .replace('{cut}', `${known.slice(0, Math.floor(known.length * 0.7))}…`);
    const { event, tool, input } = template;
    const text = fill(template.text);
    this.add(session, 'echo', event === 'tool' ? { event, tool, input, output: text } : { event, text }, { heldOut });
  }

  /** Said again in another layout. */
  repeat(session) {
    const told = [...this.said].filter(([key]) => key.startsWith(`${session.namespace}\n`)).map(([, fields]) => fields);
    if (told.length === 0) return this.request(session);
    const fields = this.pick(told);
    const again = (text) =>
      text === undefined ? undefined : this.pick([text, text.replaceAll(' ', '  '), ` ${text}\n`, text.replace(/\.$/, '')]);
    const copy = fields.text === undefined ? fields : { ...fields, text: again(fields.text) };
    this.add(session, 'repeat', copy);
  }

  secret(session) {
    const { template, heldOut } = this.template(SECRETS);
    this.add(session, 'secret', { event: 'prompt', text: this.filler()(template.text) }, { heldOut });
  }
}

/**
 * At least `count` events, oldest first in each session, and what the store holds before: { events: [{ event, kind, gist?, heldOut }], known: [{ content,
 * namespace }] }. An event with a `gist` is worth keeping, and its entry has the gist in it; every other one is not.
 */
export function simulatedDay({ count = 2000, seed = 20_260_101 } = {}) {
  const day = new Day(seed);
  day.known = PROJECTS.flatMap((namespace) =>
    [...KNOWN, ...KNOWN].map((template) => ({ namespace, content: day.filler()(template.text) })),
  );
  const begin = Date.UTC(2026, 0, 5, 8);
  const sessions = Array.from({ length: SESSIONS }, (_, at) => ({
    id: `session-${at + 1}`,
    client: CLIENTS[at % CLIENTS.length],
    namespace: PROJECTS[at % PROJECTS.length],
    at: begin + Math.floor((at / SESSIONS) * DAY_MS * 0.5),
    pace: (DAY_MS * 0.45) / (count / SESSIONS),
  }));
  const bag = MIX.flatMap(([kind, parts]) => Array.from({ length: parts }, () => kind));
  while (day.events.length < count) day[day.pick(bag)](day.pick(sessions));
  return { events: day.events, known: day.known };
}
