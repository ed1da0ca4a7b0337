import { HOOK_SECONDS } from './hook-events.ts';
import type { Launcher } from './launcher.ts';
import { SIGNATURE } from './whole-file.ts';

/**
 * A plugin for OpenCode, which has no hooks in its settings. It passes each prompt, tool result and answer to `lore hook` in the format of Claude
 * Code's hooks, and adds the output as a part of the user's message. It does not change the system prompt, and added parts stay in their message,
 * because a provider's prompt cache is valid only up to the first difference. The default export serves OpenCode 2 (`id`, `setup`) and OpenCode
 * 1 (`id`, `server`). It imports only modules of Node and reports no errors.
 */
export function opencodePlugin({ node, bin = '' }: Launcher): string {
  return PLUGIN.replace('"NODE"', () => JSON.stringify(node))
    .replace('"BIN"', () => JSON.stringify(bin))
    .replace('SECONDS', String(HOOK_SECONDS));
}

const PLUGIN = `// Written by \`${SIGNATURE}\`; \`lore teardown --target opencode\` removes it.
import { spawn } from 'node:child_process';

const NODE = "NODE";
const BIN = "BIN";
const LIMIT_MS = SECONDS * 1000;

/** Runs one hook and resolves to its context for the model; empty after any failure, and after LIMIT_MS. The hook then still keeps what it was given. */
function hook(event, fields) {
  return new Promise((resolve) => {
    let out = '';
    const child = spawn(NODE, [BIN, 'hook', event, '--client', 'opencode'], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const timer = setTimeout(() => resolve(''), LIMIT_MS);
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

/** State of a running session: its pending start event, the contexts added to prompts, the last answer. */
function sessions(directory) {
  const known = new Map();
  const session = (id) => {
    if (!known.has(id)) known.set(id, { source: 'startup', contexts: [], answer: '' });
    return known.get(id);
  };
  const fields = (id, more) => ({ session_id: id, cwd: directory, ...more });
  return {
    async prompt(id, text) {
      const state = session(id);
      const { source } = state;
      state.source = undefined;
      const start = source === undefined ? '' : await hook('SessionStart', fields(id, { source }));
      const relevant = text.trim() === '' ? '' : await hook('UserPromptSubmit', fields(id, { prompt: text }));
      const context = [start, relevant].filter((part) => part !== '').join('\\n\\n');
      if (context !== '') state.contexts.push({ text, context });
      return context;
    },
    tool: (id, use) => void hook('PostToolUse', fields(id, use)),
    answer: (id, text) => void (session(id).answer = text),
    stop(id) {
      const state = session(id);
      void hook('Stop', fields(id, state.answer === '' ? {} : { last_assistant_message: state.answer }));
      state.answer = '';
    },
    contexts: (id) => session(id).contexts,
    compacted: (id) => void (session(id).source = 'compact'),
    end(id) {
      if (known.delete(id)) void hook('SessionEnd', fields(id, {}));
    },
  };
}

/** OpenCode 1. */
async function server({ directory }) {
  const lore = sessions(directory);
  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const text = parts.filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text);
      const context = await lore.prompt(sessionID, text.join('\\n'));
      // The part is stored with the message. OpenCode's ids continue in hex, so this part sorts last.
      const id = 'prt_lore' + Date.now().toString(36) + Math.random().toString(36).slice(2, 10);
      if (context !== '') parts.push({ id, sessionID, messageID: message?.id, type: 'text', text: context, synthetic: true });
    },
    'experimental.text.complete': async ({ sessionID }, { text }) => lore.answer(sessionID, text),
    'tool.execute.after': async ({ tool, sessionID, callID, args }, { output, metadata }) => {
      const response = { output, metadata: { exit: metadata?.exit } };
      lore.tool(sessionID, { tool_name: tool, tool_use_id: callID, tool_input: args, tool_response: response });
    },
    event: async ({ event }) => {
      if (event.type === 'session.idle') lore.stop(event.properties.sessionID);
      if (event.type === 'session.compacted') lore.compacted(event.properties.sessionID);
      if (event.type === 'session.deleted') lore.end(event.properties.info?.id);
    },
  };
}

/** OpenCode 2. */
async function setup(ctx) {
  const lore = sessions(ctx.location?.directory ?? process.cwd());
  await ctx.session.hook('prompt', (event) => lore.prompt(event.sessionID, event.prompt?.text ?? ''));
  // Changes made here are not stored, so they are repeated for each request.
  await ctx.session.hook('context', (event) => addContexts(event.messages, lore.contexts(event.sessionID)));
  await ctx.tool.hook('execute.after', ({ sessionID, tool, id, input, result, error }) => {
    const response = result ?? { error: error?.message, isError: true };
    lore.tool(sessionID, { tool_name: tool, tool_use_id: id, tool_input: input, tool_response: response });
  });
  const leaving = new AbortController();
  void follow(ctx, lore, leaving.signal).catch(() => {});
  return () => leaving.abort();
}

/** Appends each context to the user message it belongs to. */
function addContexts(messages, contexts) {
  let from = 0;
  for (const { text, context } of contexts) {
    const at = messages.findIndex((message, nth) => nth >= from && message.role === 'user' && textIn(message).includes(text));
    if (at === -1) continue;
    const { content } = messages[at];
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    messages[at] = { ...messages[at], content: [...parts, { type: 'text', text: context }] };
    from = at + 1;
  }
}

function textIn({ content }) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\\n');
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
