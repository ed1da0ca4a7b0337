import type { Launcher } from './launcher.ts';
import { SIGNATURE } from './whole-file.ts';

/**
 * A plugin for OpenCode, which has no hooks in its settings: it hands each prompt, tool result and answer to `lore hook` in the form of
 * Claude Code's hooks, and puts what that prints into the system prompt. Its default export is what OpenCode 2 reads (`id`, `setup`) and what
 * OpenCode 1 reads (`id`, `server`). It imports nothing but Node's own modules, and whatever fails in it, it stays silent.
 */
export function opencodePlugin({ node, bin }: Launcher): string {
  return PLUGIN.replace('"NODE"', () => JSON.stringify(node)).replace('"BIN"', () => JSON.stringify(bin));
}

const PLUGIN = `// Written by \`${SIGNATURE}\`; \`lore teardown --target opencode\` removes it.
import { spawn } from 'node:child_process';

const NODE = "NODE";
const BIN = "BIN";
const LIMIT_MS = 2000;

/** Runs one hook and resolves to what it wants the model to know; to nothing when anything goes wrong. */
function hook(event, fields) {
  return new Promise((resolve) => {
    let out = '';
    const child = spawn(NODE, [BIN, 'hook', event, '--client', 'opencode'], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const timer = setTimeout(() => child.kill(), LIMIT_MS);
    const done = (context) => {
      clearTimeout(timer);
      resolve(context);
    };
    child.on('error', () => done(''));
    child.on('close', () => done(contextIn(out)));
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...fields }));
  });
}

function contextIn(out) {
  try {
    const answer = JSON.parse(out);
    return answer.hookSpecificOutput?.additionalContext ?? answer.additional_context ?? answer.additionalContext ?? '';
  } catch {
    return out.trim();
  }
}

/** What is kept of a running session: whether it was greeted, what the model has to be told, the last answer. */
function sessions(directory) {
  const known = new Map();
  const session = (id) => {
    if (!known.has(id)) known.set(id, { isNew: true, context: [], answer: '' });
    return known.get(id);
  };
  const fields = (id, more) => ({ session_id: id, cwd: directory, ...more });
  return {
    async prompt(id, text) {
      const state = session(id);
      const start = state.isNew ? await hook('SessionStart', fields(id, { source: 'startup' })) : '';
      state.isNew = false;
      const relevant = text.trim() === '' ? '' : await hook('UserPromptSubmit', fields(id, { prompt: text }));
      state.context.push(...[start, relevant].filter((part) => part !== ''));
    },
    tool: (id, use) => void hook('PostToolUse', fields(id, use)),
    answer: (id, text) => void (session(id).answer = text),
    stop(id) {
      const state = session(id);
      void hook('Stop', fields(id, state.answer === '' ? {} : { last_assistant_message: state.answer }));
      state.answer = '';
    },
    context: (id) => session(id).context.join('\\n\\n'),
    end(id) {
      if (known.delete(id)) void hook('SessionEnd', fields(id, {}));
    },
  };
}

/** OpenCode 1. */
async function server({ directory }) {
  const lore = sessions(directory);
  return {
    'chat.message': async ({ sessionID }, { parts }) => {
      const text = parts.filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text);
      await lore.prompt(sessionID, text.join('\\n'));
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const context = sessionID === undefined ? '' : lore.context(sessionID);
      if (context !== '') system.push(context);
    },
    'experimental.text.complete': async ({ sessionID }, { text }) => lore.answer(sessionID, text),
    'tool.execute.after': async ({ tool, sessionID, callID, args }, { output, metadata }) => {
      const response = { output, metadata: { exit: metadata?.exit } };
      lore.tool(sessionID, { tool_name: tool, tool_use_id: callID, tool_input: args, tool_response: response });
    },
    event: async ({ event }) => {
      if (event.type === 'session.idle') lore.stop(event.properties.sessionID);
      if (event.type === 'session.deleted') lore.end(event.properties.info?.id);
    },
  };
}

/** OpenCode 2. */
async function setup(ctx) {
  const lore = sessions(ctx.location?.directory ?? process.cwd());
  await ctx.session.hook('prompt', (event) => lore.prompt(event.sessionID, event.prompt?.text ?? ''));
  await ctx.session.hook('context', (event) => {
    const text = lore.context(event.sessionID);
    if (text !== '') event.system.push({ type: 'text', text });
  });
  await ctx.tool.hook('execute.after', ({ sessionID, tool, id, input, result, error }) => {
    const response = result ?? { error: error?.message, isError: true };
    lore.tool(sessionID, { tool_name: tool, tool_use_id: id, tool_input: input, tool_response: response });
  });
  const leaving = new AbortController();
  void follow(ctx, lore, leaving.signal).catch(() => {});
  return () => leaving.abort();
}

async function follow(ctx, lore, signal) {
  for await (const { type, data } of ctx.event.subscribe({ signal })) {
    if (data?.sessionID === undefined) continue;
    if (type === 'session.text.ended' && typeof data.text === 'string') lore.answer(data.sessionID, data.text);
    if (type === 'session.execution.succeeded') lore.stop(data.sessionID);
    if (type === 'session.deleted') lore.end(data.sessionID);
  }
}

export default { id: 'lore', server, setup };
`;
