// Drives real coding agents with a scripted model: `npm run eval:clients -- --client claude=DIR --client codex=DIR`, where DIR is the folder in which
// `npm install @anthropic-ai/claude-code` or `npm install @openai/codex` was called. Installs nothing and needs no account.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { claude } from './claude.mjs';
import { cline } from './cline.mjs';
import { codex } from './codex.mjs';
import { copilot } from './copilot.mjs';
import { day } from './day.mjs';
import { gemini } from './gemini.mjs';
import { opencode } from './opencode.mjs';
import { openPlace } from './place.mjs';

const CLIENTS = { claude, codex, gemini, opencode, copilot, cline };
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const { values } = parseArgs({
  options: {
    client: { type: 'string', multiple: true, default: [] },
    /** Only these parts. */
    part: { type: 'string', multiple: true, default: ['day', 'server', 'killed', 'plugin', 'two', 'payloads', 'teardown'] },
    /** The `bin/run.js` of another Lore, to compare with. */
    lore: { type: 'string' },
    /** How long the model takes for an answer, in milliseconds: what Lore does meanwhile is part of a session. */
    think: { type: 'string', default: '4000' },
    /** Where the payloads and transcripts of the clients are written. */
    keep: { type: 'string' },
  },
});

const PARTS = {
  /** Only the MCP server that the client starts. */
  day: ({ at }) => at('files', (given) => day(given)),
  /** Beside a `lore serve` that runs all day. */
  server: ({ at }) =>
    at('files', async (given) => {
      const server = await given.place.serve();
      const seen = await day(given);
      await server.stop();
      return seen;
    }),
  /** The same, killed after the second session. */
  killed: ({ at }) =>
    at('files', async (given) => {
      const server = await given.place.serve();
      return await day({ ...given, between: async (number) => number === 3 && (await server.stop('SIGKILL')) });
    }),
  plugin: ({ at }) => at('plugin', (given) => day(given)),
  two: ({ at }) => at('files', two),
  payloads: ({ at }) => at('files', payloads),
  teardown,
};

const say = (line) => process.stdout.write(`${line}\n`);
let failures = 0;
for (const given of values.client) {
  const [name, folder] = given.split('=');
  const client = CLIENTS[name];
  if (client === undefined || folder === undefined)
    throw new Error(`--client ${given}: name=folder, one of ${Object.keys(CLIENTS).join(', ')}`);
  const program = client.program(folder);
  const at = async (way, work) => {
    const place = await openPlace(client, { lore: values.lore, thinksMs: Number(values.think) });
    try {
      const before = await register({ client, program, place, way });
      const { seen } = await work({ client, program, place, way });
      return [...before, ...seen];
    } finally {
      if (values.keep === undefined) await place.close();
      else {
        await place.model.close();
        say(`  (${place.folder})`);
      }
    }
  };
  // Not every client has a plugin, or hooks that can be recorded.
  const needs = { plugin: client.install, payloads: client.record };
  for (const part of values.part.filter((name) => !(name in needs) || needs[name] !== undefined)) {
    const began = performance.now();
    const seen = await PARTS[part]({ client, program, at });
    say(`\n${client.title}, ${part} (${Math.round((performance.now() - began) / 1000)} s)`);
    for (const { what, is, note } of seen) say(`  ${is ? 'yes' : 'NO '}  ${what}${note === '' ? '' : `: ${note}`}`);
    failures += seen.filter(({ is }) => !is).length;
  }
}
process.exitCode = failures === 0 ? 0 : 1;

async function register({ client, program, place, way }) {
  await client.prepare(place);
  for (const [path, text] of Object.entries(client.files)) await place.write(path, text);
  const [command, ...args] = program;
  const { out: version } = await place.run(command, [...args, '--version']);
  const seen = [{ what: 'version', is: version !== '', note: version.trim() }];
  if (way === 'plugin') {
    const steps = await client.install(place, program, REPOSITORY);
    const warned = steps.filter(
      ({ code, out, err }) => code !== 0 || /warning|error/i.test(out + err.replaceAll(/^WARNING: proceeding.*$/gm, '')),
    );
    seen.push({
      what: 'the plugin is taken without a warning',
      is: warned.length === 0,
      note: warned.map(({ out, err }) => out + err).join(' '),
    });
  } else {
    const { code, err } = await place.lore('setup', '--target', client.name);
    seen.push({ what: 'lore setup', is: code === 0, note: err });
  }
  const { isConnected, out } = await client.servers(place, program);
  return [...seen, { what: 'the MCP server is listed', is: isConnected, note: isConnected ? '' : out }];
}

/** Two clients at once on one store. */
async function two({ client, program, place, way }) {
  const save = client.tool('memory_save', way);
  const wait = (content) => (offered) =>
    offered.some(({ name }) => name === save) ? [{ call: save, input: { content } }] : { again: [client.shell('sleep 0.3')] };
  const facts = ['The invoices are archived for ten years.', 'The search index is rebuilt on Sundays.'];
  place.model.say(...facts.map(wait));
  const ran = await Promise.all(facts.map((_, number) => client.session(place, program, `Task ${number + 1}, please.`)));
  const { out } = await place.lore('list', '--json');
  const kept = facts.filter((fact) => out.includes(fact));
  return {
    seen: [
      { what: 'both end well', is: ran.every(({ code }) => code === 0), note: '' },
      { what: 'both facts are kept', is: kept.length === 2, note: `${kept.length} of 2` },
    ],
  };
}

/** What the events bring. `--keep DIR` copies it there. */
async function payloads({ client, program, place, way }) {
  const file = join(place.folder, 'payloads.jsonl');
  await client.record(place, file);
  const { first } = await day({ client, program, place, way });
  const lines = ((await place.read('payloads.jsonl')) ?? '').split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line));
  const names = new Map();
  for (const event of events) {
    const fields = Object.keys(event).filter((key) => key !== 'hook_event_name');
    const { count = 0 } = names.get(event.hook_event_name) ?? {};
    names.set(event.hook_event_name, { count: count + 1, fields });
  }
  if (values.keep !== undefined) {
    await cp(file, join(values.keep, `${client.name}-payloads.jsonl`));
    const { transcript_path: transcript } = events.find(({ session_id: id }) => id === first.session) ?? {};
    if (transcript) await cp(transcript, join(values.keep, `${client.name}-transcript.jsonl`));
  }
  return { seen: [...names].map(([name, { count, fields }]) => ({ what: `${count} ${name}`, is: true, note: fields.join(' ') })) };
}

/** Files come back byte for byte, and the client still starts. */
async function teardown({ client, program }) {
  const place = await openPlace(client, { lore: values.lore, thinksMs: Number(values.think) });
  try {
    await client.prepare(place);
    for (const [path, text] of Object.entries(client.files)) await place.write(path, text);
    const paths = [...Object.keys(client.files), ...(client.name === 'codex' ? ['home/.codex/config.toml', 'home/.codex/hooks.json'] : [])];
    const before = await Promise.all(paths.map((path) => place.read(path)));
    await place.lore('setup', '--target', client.name);
    await client.session(place, program, 'Hello.');
    const { code, out, err } = await place.lore('teardown', '--target', client.name);
    const after = await Promise.all(paths.map((path) => place.read(path)));
    const changed = paths.filter((_, index) => before[index] !== after[index]);
    place.model.reset();
    const ran = await client.session(place, program, 'Hello again.');
    const traces = JSON.stringify(place.model.requests.map(({ body }) => body)).match(/memory_save|Memory \(Lore\)/g) ?? [];
    const { out: servers } = await client.servers(place, program);
    return [
      { what: 'lore teardown', is: code === 0, note: code === 0 ? '' : out + err },
      { what: 'files as they were', is: changed.length === 0, note: changed.join(' ') },
      { what: 'the client still starts', is: ran.code === 0, note: ran.code === 0 ? '' : ran.err.slice(-300) },
      { what: 'nothing of Lore in its request', is: traces.length === 0 && !/^lore\b/m.test(servers), note: traces.join(' ') },
    ];
  } finally {
    await place.close();
  }
}
