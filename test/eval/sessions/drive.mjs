// Drives one scripted project through hooks and MCP, and notes what an agent was told at each question.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openClient } from './clients.mjs';
import { outdatedIn, says } from './projects.mjs';
import { openProject } from './server.mjs';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const FIRST = 5;

/** Tokens of four characters, as everywhere in Lore. */
export const tokensOf = (text) => Math.ceil(text.length / 4);

/**
 * `mode`: `captured` (only hooks tell the store), or `by hand` (every fact is saved by the tool, and hooks only ask). `processes`: every prompt of the
 * last session runs `lore hook` as a process. `observe` hears of each prompt of a later session before it is asked: { text, wanted }. Gives { asked, idle, starts, kept, junk, leaked, hookMs, processMs }.
 */
export async function drive(project, folder, { mode, processes, observe }) {
  const run = new Run(project, { mode, processes, observe });
  const { now } = Date;
  const opened = await openProject(project.name, folder);
  try {
    for (const [nth, session] of project.sessions.entries()) {
      // Sessions lie days apart, their turns minutes.
      let minutes = 0;
      Date.now = () => now() - session.daysAgo * DAY_MS + minutes * MINUTE_MS;
      const pass = () => (minutes += 3);
      await run.session(opened, { session, nth, pass, isLast: nth === project.sessions.length - 1 });
    }
    Date.now = now;
    await run.judgeStore(opened.app.memories);
  } finally {
    Date.now = now;
    await opened.close();
  }
  run.judgeFiles(folder);
  return run.result;
}

class Run {
  #project;
  #mode;
  #processes;
  #observe;
  #texts = [];
  /** What the session in hand was told so far. */
  #lines = [];
  #known = new Set();
  result = { asked: [], idle: [], starts: [], kept: new Set(), junk: [], leaked: [], hookMs: [], processMs: [] };

  constructor(project, { mode, processes, observe }) {
    this.#project = project;
    this.#mode = mode;
    this.#processes = processes;
    this.#observe = observe;
  }

  async session(opened, { session, nth, pass, isLast }) {
    const client = openClient(this.#project.client, { session: `${this.#project.name}-${nth}`, cwd: opened.cwd });
    const send = async (event) => {
      const inProcess = !(this.#processes && isLast && event.event === 'UserPromptSubmit');
      const { output, ms } = await opened.hook({ client: client.name, inProcess, ...event });
      await opened.app.memories.capture.drain();
      if (event.payload.prompt !== undefined) this.result[inProcess ? 'hookMs' : 'processMs'].push(ms);
      return client.contextIn(output);
    };
    const [opening, closing] = [session.turns.find(({ does }) => does === 'start'), session.turns.find(({ does }) => does === 'end')];
    const start = await send(client.start(opening?.reason));
    this.#lines = start.split('\n');
    this.result.starts.push({ tokens: tokensOf(start), outdated: this.#told(start) });
    for (const turn of session.turns) {
      pass();
      await this.#turn(turn, { opened, client, send, start });
    }
    // Where a set says how its sessions end, one without such a line was killed.
    if (closing !== undefined || !this.#project.tellsEnds) await send(client.end(closing?.reason));
    await opened.settle();
  }

  async #turn(turn, { opened, client, send, start }) {
    switch (turn.does) {
      case 'fact':
        this.#known.add(turn.fact);
        if (this.#mode === 'by hand') await opened.tool('memory_save', { content: turn.fact.text });
        return;
      case 'user':
        if (this.#mode === 'captured') await send(client.prompt(turn.text));
        return;
      case 'assistant':
        if (this.#mode === 'captured') await send(client.answer(turn.text));
        return;
      case 'run':
        if (this.#mode === 'captured') await send(client.run(turn));
        return;
      case 'edit':
        if (this.#mode === 'captured') await send(client.edit(turn));
        return;
      case 'read':
        if (this.#mode === 'captured') client.read(turn);
        return;
      case 'save':
        if (this.#mode === 'captured') await opened.tool('memory_save', { content: turn.text });
        return;
      case 'compact':
        if (this.#mode !== 'captured') return;
        await send(client.compact());
        await send(client.start('compact'));
        return;
      case 'idle': {
        const { prompt, context } = await this.#tell(turn, { opened, client, send });
        this.result.idle.push({ text: turn.text, prompt, context, tokens: tokensOf(prompt), contextTokens: tokensOf(context) });
        return;
      }
      case 'ask':
        await this.#ask(turn, { opened, client, send, start });
    }
  }

  async #tell({ text, fact, words }, { opened, client, send }) {
    this.#observe?.({ text, wanted: fact && { words: words ?? this.#project.facts.get(fact).words } });
    const { structuredContent } = await opened.tool('memory_context', { task: text });
    const prompt = await send(client.prompt(text));
    this.#lines.push(...prompt.split('\n'));
    return { prompt, context: structuredContent.context };
  }

  async #ask(turn, { opened, client, send, start }) {
    const { structuredContent } = await opened.tool('memory_recall', { query: turn.text });
    const first = structuredContent.results.slice(0, FIRST).map((each) => each.content ?? each.text ?? '');
    const told = await this.#tell(turn, { opened, client, send });
    const hook = client.name === 'cursor' ? start : told.prompt;
    const fact = this.#project.facts.get(turn.fact);
    const wanted = { words: turn.words ?? fact.words };
    const session = this.#lines.some((line) => says(line, wanted));
    const answered = {
      hook: says(hook, wanted),
      session,
      context: says(told.context, wanted),
      recall: first.some((text) => says(text, wanted)),
    };
    // What a session began with is judged by what was known then.
    const outdated = { hook: this.#told(told.prompt), context: this.#told(told.context), recall: this.#told(first.join('\n')) };
    const { heldOut, name } = this.#project;
    const tokens = { hook: tokensOf(told.prompt), context: tokensOf(told.context) };
    this.result.asked.push({
      project: name,
      heldOut,
      fact,
      question: turn.text,
      answered,
      outdated,
      tokens,
      texts: { hook, ...told, first },
    });
  }

  /** How many outdated facts a text tells; what was told is looked through for secrets at the end. */
  #told(text) {
    this.#texts.push(text);
    return outdatedIn(text, { facts: this.#project.facts, known: this.#known }).length;
  }

  async judgeStore(memories) {
    const facts = [...this.#project.facts.values()];
    for await (const line of memories.export({})) {
      if (!('content' in line)) continue;
      const said = facts.filter((fact) => says(line.content, fact));
      for (const { id } of said) this.result.kept.add(id);
      if (said.length === 0) this.result.junk.push(line.content);
    }
  }

  /** Texts that were told, and files of the store, that hold a secret. */
  judgeFiles(folder) {
    const files = readdirSync(path.join(folder, 'store'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const kept = files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name)));
    for (const secret of this.#project.secrets) {
      if ([...this.#texts, ...kept].some((each) => each.includes(secret))) this.result.leaked.push(secret);
    }
  }
}
