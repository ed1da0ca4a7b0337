// A day with a client: what is said in one process is asked for in another. The model says fixed words; what counts is what the client hands to it.
import { textsOf, toolsOf } from './model-server.mjs';

const HEADING = 'From earlier sessions';
/** Not a key of anybody. */
const SECRET = ['sk-proj', 'Qx7Lm2Vt9Zk4Rw8Hs3Np6Jc1Yd5Fb0Ga'].join('-');

/** The contexts that Lore put into a request: where each stands, and its lines. */
export function contextsIn(request) {
  return textsOf(request ?? { body: {} }).flatMap(({ place, text }) =>
    text
      .split(HEADING)
      .slice(1)
      .map((behind) => ({ place, lines: behind.split('\n').slice(1).filter(untilOther()) })),
  );
}

/** Lines of a list, up to the first that is none. */
function untilOther() {
  let isIn = true;
  return (line) => (isIn &&= line.startsWith('- '));
}

/** Offers a tool as soon as the client does, which may begin before its MCP server has answered. */
const onceOffered = (name, input, shell) => (offered) =>
  offered.some((tool) => tool.name === name) ? [{ call: name, input }] : { again: [shell('sleep 0.3')] };

/**
 * Drives the day. `between(n)` is called before session n.
 * @returns what was seen, one line each: `{ what, is, note }`.
 */
export async function day({ client, program, place, way, between = async () => {} }) {
  const { model } = place;
  const seen = [];
  const see = (what, is, note = '') => seen.push({ what, is: Boolean(is), note });
  let number = 0;
  const later = [];
  const session = async (prompt, ...answers) => {
    await between((number += 1));
    model.reset();
    model.say(...answers);
    const ran = await client.session(place, program, prompt);
    later.push(...model.requests.map((request) => ({ number, request })));
    if (ran.code !== 0) see(`session ${number} ends with 0`, false, `${ran.code} ${ran.err.slice(-300)}`);
    return { ...ran, contexts: contextsIn(model.requests.find(({ isMain }) => isMain)) };
  };
  const asks = async (what, prompt, wanted, unwanted = /^$/) => {
    const { contexts, ms } = await session(prompt, 'I looked it up.');
    const lines = contexts.flatMap((context) => context.lines);
    const isThere = lines.some((line) => wanted.test(line)) && !lines.some((line) => unwanted.test(line));
    const where = contexts.map((context) => `${context.place} (${context.lines.length} lines)`).join(', ') || 'no context';
    see(what, isThere, `${where}; ${Math.round(ms)} ms${isThere ? '' : `\n${lines.join('\n')}`}`);
  };

  const save = client.tool('memory_save', way);
  const first = await session(
    'Let us use Postgres instead of MySQL for the orders, because the team knows it. Then run the tests.',
    onceOffered(save, { content: 'Deploys run from the release branch only.', kind: 'decision' }, client.shell),
    [client.shell('./test.sh')],
    [client.shell('echo DATABASE_URL=postgres://localhost/orders > .env && ./test.sh')],
    'The tests failed because DATABASE_URL was not set. I wrote it to .env, and now they pass.',
  );
  const offered = model.requests.map(({ body }) => toolsOf(body)).findLast((tools) => tools.some(({ name }) => name === save)) ?? [];
  const ours = offered.filter(({ name }) => name.includes('lore'));
  see(
    'six tools with descriptions',
    ours.length === 6 && ours.every(({ description }) => description !== ''),
    ours.map(({ name }) => name).join(' '),
  );
  const results = model.requests.flatMap((request) => textsOf(request)).filter(({ text }) => text.includes('"stored"'));
  see('memory_save through the client', results.length > 0, first.code === 0 ? '' : first.err.slice(-200));
  await session(`I prefer tabs over spaces in this project. The staging key is ${SECRET}, so that you know.`, 'Noted.');
  await asks('a decision of another session', 'Which database do the orders use?', /Postgres/);
  await asks('a fix of another session', 'The tests fail again. What was it last time?', /DATABASE_URL/);
  await asks('what was saved with the tool', 'Which branch do deploys run from?', /release branch/);
  await asks('a preference', 'How do I indent code here?', /tabs/);
  await session('Actually, use CockroachDB instead of Postgres for the orders, since we need two regions.', 'Understood.');
  await asks('only what is true now', 'Which database do the orders use now?', /CockroachDB/, /^(?!.*(?:older|CockroachDB)).*Postgres/);
  const leaks = later.filter(({ number: n, request }) => n > 2 && JSON.stringify(request.body).includes(SECRET));
  see('no secret in later requests', leaks.length === 0);
  // What a session began with may be told again before a prompt (docs/capture.md).
  const contexts = later.flatMap(({ request }) => contextsIn(request));
  see(
    'no line twice in a context',
    contexts.every(({ lines }) => new Set(lines).size === lines.length),
  );
  return { seen, first };
}
