import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { opencodePlugin } from '../../src/integrations/opencode-plugin.ts';
import { temporaryFolder } from '../helpers/folder.ts';

interface Plugin {
  readonly id: string;
  server(input: { directory: string }): Promise<Record<string, (input: unknown, output?: unknown) => Promise<void>>>;
  setup(context: object): Promise<() => void>;
}

/** The plugin with a script in the place of Lore that notes what it is given and prints what a hook prints. */
async function loaded(folder: string, answer = 'event + " context"', { seconds = 5, takesMs = 0 } = {}) {
  const [bin, log] = [join(folder, 'run me.js'), join(folder, 'calls')];
  const script = `
    const { appendFileSync, readFileSync } = require('node:fs');
    const [, , hook, event, flag, client] = process.argv;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${takesMs});
    appendFileSync(${JSON.stringify(log)}, JSON.stringify({ words: [hook, event, flag, client], ...JSON.parse(readFileSync(0, 'utf8')) }) + '\\n');
    process.stdout.write(${answer});`;
  await writeFile(bin.replace(/\.js$/, '.cjs'), script);
  const path = join(folder, 'lore.mjs');
  const text = opencodePlugin({ node: process.execPath, bin: bin.replace(/\.js$/, '.cjs') });
  await writeFile(path, text.replace('LIMIT_MS = 5 * 1000', `LIMIT_MS = ${seconds} * 1000`));
  const { default: plugin } = (await import(pathToFileURL(path).href)) as { default: Plugin };
  const calls = async (count: number): Promise<Record<string, unknown>[]> => {
    await expect.poll(async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').length - 1, { timeout: 10_000 }).toBe(count);
    return (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { plugin, calls };
}

it('passes the events of OpenCode 1 to the hooks, and their output to the model', async () => {
  await using folder = await temporaryFolder();
  const { plugin, calls } = await loaded(folder.path);
  const hooks = await plugin.server({ directory: '/project' });
  const parts: object[] = [{ type: 'text', text: 'why?' }, { type: 'text', text: 'hidden', synthetic: true }, { type: 'file' }];
  await hooks['chat.message']!({ sessionID: 's1' }, { message: { id: 'msg_1' }, parts });
  // Stored with the message: the system prompt, and with it what a provider has cached, stays as it is.
  expect(Object.keys(hooks)).not.toContain('experimental.chat.system.transform');
  expect(parts.slice(3)).toEqual([
    {
      id: expect.stringMatching(/^prt_/),
      sessionID: 's1',
      messageID: 'msg_1',
      type: 'text',
      text: 'SessionStart context\n\nUserPromptSubmit context',
      synthetic: true,
    },
  ]);
  await hooks['tool.execute.after']!(
    { tool: 'bash', sessionID: 's1', callID: 'c1', args: { command: 'ls' } },
    { output: 'a b', metadata: { exit: 1, files: ['a'] } },
  );
  await calls(3);
  await hooks['experimental.text.complete']!({ sessionID: 's1' }, { text: 'Because.' });
  await hooks['event']!({ event: { type: 'session.idle', properties: { sessionID: 's1' } } });
  const [start, prompt, tool, stop] = await calls(4);
  expect(start).toMatchObject({ words: ['hook', 'SessionStart', '--client', 'opencode'], session_id: 's1', cwd: '/project' });
  expect(prompt).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: 'why?' });
  expect(tool).toMatchObject({
    tool_name: 'bash',
    tool_use_id: 'c1',
    tool_input: { command: 'ls' },
    tool_response: { output: 'a b', metadata: { exit: 1 } },
  });
  expect(stop).toMatchObject({ hook_event_name: 'Stop', last_assistant_message: 'Because.' });
});

it('passes the events of OpenCode 2 to the hooks, and their output to the model', async () => {
  await using folder = await temporaryFolder();
  const answer = 'JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: "known: " + event } })';
  const { plugin, calls } = await loaded(folder.path, answer);
  const hooks = new Map<string, (event: object) => unknown>();
  const register = (name: string, run: (event: object) => unknown) => void hooks.set(name, run);
  const events = [
    { type: 'session.text.ended', data: { sessionID: 's2', text: 'Done.' } },
    { type: 'session.execution.succeeded', data: { sessionID: 's2' } },
  ];
  async function* subscribe() {
    await Promise.resolve();
    yield* events;
  }
  const close = await plugin.setup({
    location: { directory: '/project' },
    session: { hook: register },
    tool: { hook: register },
    event: { subscribe },
  });
  await calls(1);
  await hooks.get('prompt')!({ sessionID: 's2', prompt: { text: 'go' } });
  const request = (...said: string[]) => ({
    sessionID: 's2',
    system: [],
    messages: said.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
  });
  const told = (messages: readonly { content: readonly { text: string }[] }[]) =>
    messages.map(({ content }) => content.map(({ text }) => text));
  const first = request('go');
  await hooks.get('context')!(first);
  expect(told(first.messages)).toEqual([['go', 'known: SessionStart\n\nknown: UserPromptSubmit']]);
  await hooks.get('prompt')!({ sessionID: 's2', prompt: { text: 'go on' } });
  const second = request('go', 'go on');
  await hooks.get('context')!(second);
  // What was sent before is sent again as it was.
  expect(told(second.messages)).toEqual([...told(first.messages), ['go on', 'known: UserPromptSubmit']]);
  expect(second.system).toEqual([]);
  await hooks.get('execute.after')!({
    sessionID: 's2',
    tool: 'edit',
    id: 'c2',
    input: {},
    status: 'completed',
    result: { output: { ok: true } },
  });
  const [stop, , , , tool] = await calls(5);
  expect(stop).toMatchObject({ hook_event_name: 'Stop', last_assistant_message: 'Done.' });
  expect(tool).toMatchObject({ tool_name: 'edit', tool_response: { output: { ok: true } } });
  close();
});

it('continues a prompt without a late context, and the hook still gets the prompt', async () => {
  await using folder = await temporaryFolder();
  const { plugin, calls } = await loaded(folder.path, 'event', { seconds: 0.1, takesMs: 1500 });
  const hooks = await plugin.server({ directory: '/project' });
  const parts = [{ type: 'text', text: 'why?' }];
  await hooks['chat.message']!({ sessionID: 's1' }, { message: { id: 'msg_1' }, parts });
  expect(parts).toEqual([{ type: 'text', text: 'why?' }]);
  expect(await calls(2)).toMatchObject([{ hook_event_name: 'SessionStart' }, { hook_event_name: 'UserPromptSubmit', prompt: 'why?' }]);
});

it('is silent if Lore was removed', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'lore.mjs');
  await writeFile(path, opencodePlugin({ node: '/nowhere/node', bin: '/nowhere/run.js' }));
  const { default: plugin } = (await import(pathToFileURL(path).href)) as { default: Plugin };
  const hooks = await plugin.server({ directory: '/project' });
  const parts = [{ type: 'text', text: 'x' }];
  await hooks['chat.message']!({ sessionID: 's3' }, { parts });
  expect(parts).toEqual([{ type: 'text', text: 'x' }]);
});

it('is a module that this version of Node can load', async () => {
  const { spawn } = await import('node:child_process');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'lore.mjs');
  await writeFile(path, opencodePlugin({ node: 'C:\\Program Files\\node.exe', bin: '/a "b"/run.js' }));
  const [code] = (await once(spawn(process.execPath, ['--check', path]), 'exit')) as [number];
  expect(code).toBe(0);
});
