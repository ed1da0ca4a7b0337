import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputFor } from '../../src/hooks/hook-output.ts';
import { hookArguments } from '../../src/hooks/arguments.ts';
import { eventOf, folderOf, type Json } from '../../src/hooks/payload.ts';
import { CaptureRequest } from '../../src/memory/operations/capture-operations.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const read = (event: string, payload: Json, client = 'claude'): CaptureRequest | undefined =>
  eventOf({ event, client, payload, cwd: folderOf(payload, '/here'), namespace: undefined, redacts: true });

/** What real clients sent in one session (npm run eval:clients, Claude Code 2.1.197 and Codex 0.169.0), with other names and paths. */
describe('a session of a real client', () => {
  const PROMPT = 'Let us use Postgres instead of MySQL for the orders, because the team knows it. Then run the tests.';
  const FIX = 'echo DATABASE_URL=postgres://localhost/orders > .env && ./test.sh';
  const ANSWER = 'The tests failed because DATABASE_URL was not set. I wrote it to .env, and now they pass.';
  const sessionOf = async (client: string): Promise<Partial<CaptureRequest>[]> => {
    const file = new URL(`clients/${client}-events.jsonl`, import.meta.url);
    const payloads = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    return payloads.flatMap((payload) => read(String(payload['hook_event_name']), payload, client) ?? []);
  };

  it.each([
    ['claude', { failed: true, output: 'Exit code 1\nError: DATABASE_URL is not set' }, '12 passed'],
    ['codex', { output: 'Error: DATABASE_URL is not set\n' }, '12 passed\n'],
  ])('of %s is parsed completely', async (client, failure, passed) => {
    const events = await sessionOf(client);
    for (const event of events) {
      expect(CaptureRequest.safeParse(event).success).toBe(true);
      expect(event).toMatchObject({ client, session: '00000000-0000-4000-8000-000000000001', cwd: '/home/ana/shop' });
    }
    expect(events.filter(({ tool }) => tool?.includes('lore') !== true)).toMatchObject([
      { event: 'session-start' },
      { event: 'prompt', text: PROMPT },
      { event: 'tool', tool: 'Bash', input: './test.sh', ...failure },
      { event: 'tool', tool: 'Bash', input: FIX, output: passed },
      { event: 'response', text: ANSWER },
      { event: 'session-end' },
    ]);
  });
});

describe('the event of a hook', () => {
  it.each<[string, string, string, Json, Partial<CaptureRequest>]>([
    [
      'a prompt of Claude Code',
      'claude',
      'UserPromptSubmit',
      { session_id: 's', cwd: '/w', prompt: 'Hello' },
      { session: 's', event: 'prompt', cwd: '/w', text: 'Hello' },
    ],
    [
      'a tool of Claude Code',
      'claude',
      'PostToolUse',
      {
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'ls', description: 'x' },
        tool_response: { stdout: 'a', stderr: 'b', interrupted: false },
      },
      { event: 'tool', tool: 'Bash', input: 'ls', output: 'a\nb' },
    ],
    [
      'a tool of Claude Code that failed',
      'claude',
      'PostToolUseFailure',
      { session_id: 's', tool_name: 'Bash', tool_input: { command: 'x' }, error: 'Exit code 1' },
      { event: 'tool', tool: 'Bash', input: 'x', output: 'Exit code 1', failed: true },
    ],
    [
      'an MCP tool with parts',
      'claude',
      'PostToolUse',
      {
        session_id: 's',
        tool_name: 'mcp__x__y',
        tool_input: {},
        tool_response: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      { event: 'tool', tool: 'mcp__x__y', output: 'one\ntwo' },
    ],
    [
      'an answer of Claude Code',
      'claude',
      'Stop',
      { session_id: 's', last_assistant_message: 'Done.' },
      { event: 'response', text: 'Done.' },
    ],
    ['a session of Claude Code', 'claude', 'SessionStart', { session_id: 's', source: 'startup' }, { event: 'session-start' }],
    [
      'a prompt of Cursor',
      'cursor',
      'beforeSubmitPrompt',
      { conversation_id: 'c', workspace_roots: ['/w', '/x'], prompt: 'Hello', attachments: [] },
      { client: 'cursor', session: 'c', event: 'prompt', cwd: '/w', text: 'Hello' },
    ],
    [
      'a tool of Cursor, its output as JSON',
      'cursor',
      'postToolUse',
      { conversation_id: 'c', tool_name: 'Shell', tool_input: { command: 'x' }, tool_output: '{"output":"text","exitCode":2}' },
      { event: 'tool', tool: 'Shell', input: 'x', output: 'text', failed: true },
    ],
    [
      'a command of Cursor',
      'cursor',
      'afterShellExecution',
      { conversation_id: 'c', command: 'ls', output: 'a' },
      { tool: 'Shell', input: 'ls', output: 'a' },
    ],
    ['an answer of Cursor', 'cursor', 'afterAgentResponse', { conversation_id: 'c', text: 'Done.' }, { event: 'response', text: 'Done.' }],
    [
      'a prompt of Windsurf',
      'windsurf',
      'pre_user_prompt',
      { trajectory_id: 't', agent_action_name: 'pre_user_prompt', tool_info: { user_prompt: 'Hello' } },
      { session: 't', event: 'prompt', text: 'Hello' },
    ],
    [
      'a command of Windsurf',
      'windsurf',
      'post_run_command',
      { trajectory_id: 't', tool_info: { command_line: 'npm test', cwd: '/w' } },
      { event: 'tool', tool: 'Shell', input: 'npm test', cwd: '/w' },
    ],
    [
      'an answer of Windsurf',
      'windsurf',
      'post_cascade_response',
      { trajectory_id: 't', tool_info: { response: 'Done.' } },
      { event: 'response', text: 'Done.' },
    ],
    [
      'a command of Codex',
      'codex',
      'PostToolUse',
      {
        session_id: 's',
        tool_name: 'shell',
        tool_input: { command: ['bash', '-lc', 'ls'] },
        tool_response: { output: 'a', metadata: { exit_code: 1 } },
      },
      { tool: 'shell', input: 'bash -lc ls', output: 'a', failed: true },
    ],
    [
      // The shape of anthropics/claude-code#29799 and #83394: no exit code, the status stands before the output.
      'a command of Claude Code that failed',
      'claude',
      'PostToolUseFailure',
      {
        session_id: 's',
        hook_event_name: 'PostToolUseFailure',
        tool_name: 'Bash',
        tool_use_id: 'toolu_1',
        tool_input: { command: 'npm test', description: 'Run the tests' },
        error: 'Exit code 1\nFAIL cart.test.ts',
        is_interrupt: false,
      },
      { event: 'tool', tool: 'Bash', input: 'npm test', output: 'Exit code 1\nFAIL cart.test.ts', failed: true },
    ],
    [
      'a command of Cursor that failed',
      'cursor',
      'postToolUseFailure',
      {
        conversation_id: 'c',
        tool_name: 'Shell',
        tool_input: { command: 'npm test', working_directory: '/w' },
        cwd: '/w',
        error_message: 'FAIL cart.test.ts',
        failure_type: 'error',
        is_interrupt: false,
      },
      { client: 'cursor', tool: 'Shell', input: 'npm test', output: 'FAIL cart.test.ts', failed: true, cwd: '/w' },
    ],
    [
      // openai/codex#34289 and #42864: one event for both, and no field that says which.
      'a command of Codex as its bare output',
      'codex',
      'PostToolUse',
      { session_id: 's', tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: 'FAIL cart.test.ts' },
      { tool: 'Bash', input: 'npm test', output: 'FAIL cart.test.ts' },
    ],
    [
      'a command of Codex with its status before the output',
      'codex',
      'PostToolUse',
      {
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'make' },
        tool_response: 'Chunk ID: a1\nWall time: 0.5 seconds\nProcess exited with code 7\nFinal output:\nbroken',
      },
      { tool: 'Bash', input: 'make', failed: true },
    ],
    [
      'a command of Codex that went through, whatever its output says',
      'codex',
      'PostToolUse',
      { session_id: 's', tool_name: 'Bash', tool_input: { command: 'make' }, tool_response: 'Exit code: 0\nOutput:\nerror: none' },
      { failed: false },
    ],
    [
      'a command of the Copilot harness of VS Code that failed',
      'vscode',
      'PostToolUseFailure',
      { session_id: 's', tool_name: 'run_in_terminal', tool_input: { command: 'npm test' }, error: 'FAIL cart.test.ts' },
      { client: 'vscode', tool: 'run_in_terminal', output: 'FAIL cart.test.ts', failed: true },
    ],
    [
      'a command of Copilot CLI 1.0.102 that failed, which it tells of as a success',
      'vscode',
      'PostToolUse',
      {
        hook_event_name: 'PostToolUse',
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'npm test', description: 'x' },
        tool_result: { result_type: 'success', text_result_for_llm: 'FAIL cart.test.ts\n<shellId: 0 completed with exit code 1>' },
      },
      { tool: 'Bash', input: 'npm test', output: 'FAIL cart.test.ts', failed: true },
    ],
    [
      'a command of Copilot CLI 1.0.102 that went through',
      'vscode',
      'PostToolUse',
      {
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_result: { result_type: 'success', text_result_for_llm: 'ok\n<shellId: 0 completed with exit code 0>' },
      },
      { output: 'ok', failed: false },
    ],
    [
      'an event that only the payload names',
      'claude',
      '',
      { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'x' },
      { event: 'prompt', text: 'x' },
    ],
    ['an event without a session', 'claude', 'UserPromptSubmit', { prompt: 'x' }, { session: 'unknown', cwd: '/here' }],
  ])('is read from %s', (_what, client, name, payload, expected) => {
    const event = read(name, payload, client);
    expect(event).toMatchObject({ client, ...expected });
    expect(CaptureRequest.safeParse(event).error).toBeUndefined();
  });

  it('is parsed from the payload of Gemini CLI', () => {
    expect(read('BeforeAgent', { session_id: 's', prompt: 'why?' })).toMatchObject({ event: 'prompt', text: 'why?' });
    expect(read('AfterAgent', { session_id: 's', prompt: 'why?', prompt_response: 'Because.' })).toMatchObject({
      event: 'response',
      text: 'Because.',
    });
    const shell = { session_id: 's', tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
    const told = (text: string) => read('AfterTool', { ...shell, tool_response: { llmContent: text, returnDisplay: 'short' } });
    expect(told('Output: 1 failed\nExit Code: 1\nProcess Group PGID: 7')).toMatchObject({
      event: 'tool',
      tool: 'Shell',
      input: 'npm test',
      failed: true,
    });
    expect(told('Output: all passed')).toMatchObject({ output: 'Output: all passed' });
    expect(told('Output: all passed')).not.toHaveProperty('failed');
  });

  it.each([
    ['"We use tabs, not spaces."', 'We use tabs, not spaces.'],
    [String.raw`"Call it \"basket\", not cart."`, 'Call it "basket", not cart.'],
    ['"basket" is the name of it, not "cart"', '"basket" is the name of it, not "cart"'],
  ])('has the OpenCode prompt without the quotes of `opencode run`: %s', (prompt, text) => {
    expect(read('UserPromptSubmit', { session_id: 's', prompt }, 'opencode')).toMatchObject({ event: 'prompt', text });
  });

  it('keeps the quotes of prompts from other clients', () => {
    expect(read('UserPromptSubmit', { session_id: 's', prompt: '"We use tabs."' })).toMatchObject({ text: '"We use tabs."' });
  });

  it('is undefined for irrelevant events', () => {
    expect(read('PostCompact', { session_id: 's', compact_summary: 'So far.' })).toBeUndefined();
    expect(read('constructor', {})).toBeUndefined();
    expect(read('', {})).toBeUndefined();
  });

  it.each([
    ['the user stopped', { is_interrupt: true, error: 'Interrupted' }],
    ['was not allowed', { failure_type: 'permission_denied', error_message: 'Denied' }],
  ])('is undefined for a command that %s', (_what, fields) => {
    const payload = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'npm test' }, ...fields };
    expect(read('PostToolUseFailure', payload)).toBeUndefined();
  });

  it('is valid for the server, whatever a client sends', () => {
    const strange = ['\ud800', '\u0000\u0007', 'x'.repeat(100_000), '🐟'.repeat(50_000), ' ', 5, null, [], {}, [[['deep']]], true];
    for (const value of strange) {
      const payload = {
        session_id: value,
        cwd: value,
        prompt: value,
        tool_name: value,
        tool_input: value,
        tool_response: value,
        workspace_roots: value,
        tool_info: value,
      };
      for (const name of ['UserPromptSubmit', 'PostToolUse', 'Stop', 'post_run_command']) {
        expect(CaptureRequest.safeParse(read(name, payload, typeof value === 'string' ? value : 'claude')).error).toBeUndefined();
      }
    }
  });

  it('contains no secret unless configured', () => {
    const payload = {
      session_id: 's',
      tool_name: 'Bash',
      tool_input: { command: 'export T=ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
      tool_response: 'x',
    };
    expect(JSON.stringify(read('PostToolUse', payload))).not.toContain('ghp_');
    const open = eventOf({ event: 'PostToolUse', client: 'claude', payload, cwd: '/', namespace: 'n', redacts: false });
    expect(open).toMatchObject({ input: expect.stringContaining('ghp_'), namespace: 'n' });
  });

  it('has the last answer of the transcript if the client sends none', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'transcript.jsonl');
    const line = (role: string, text: string): string =>
      JSON.stringify({ type: role, message: { role, content: [{ type: 'text', text }] } });
    await writeFile(
      file,
      [line('assistant', 'First.'), line('user', 'And?'), line('assistant', 'Second.'), '{"type":"system"}', '{torn'].join('\n'),
    );
    for (const event of ['Stop', 'PreCompact', 'SubagentStop']) {
      expect(read(event, { session_id: 's', transcript_path: file })?.text).toBe('Second.');
    }
    const events = [
      { type: 'assistant.message', data: { model: 'gpt-5.4', content: 'Third.', toolRequests: [] } },
      { type: 'assistant.message', data: { model: 'gpt-5.4', content: '', toolRequests: [{ name: 'bash' }] } },
      { type: 'assistant.turn_end', data: { turnId: '1' } },
    ];
    const copilot = path.join(folder.path, 'events.jsonl');
    await writeFile(copilot, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    expect(read('Stop', { session_id: 's', transcript_path: copilot })?.text).toBe('Third.');
    const failed = { error: 'rate_limit', last_assistant_message: 'API Error: Rate limit reached', transcript_path: file };
    expect(read('StopFailure', failed)).toMatchObject({ event: 'response', text: 'Second.' });
    for (const missing of [folder.path, path.join(folder.path, 'none')])
      expect(read('Stop', { transcript_path: missing })?.text).toBeUndefined();
  });

  it('has the answer that Copilot CLI writes into its transcript after the end of the turn', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'events.jsonl');
    const line = (type: string, content?: string): string => `${JSON.stringify({ type, data: { content } })}\n`;
    const begun = [line('assistant.message', 'Earlier.'), line('user.message', 'Fix it.'), line('assistant.turn_start')];
    await writeFile(file, begun.join(''));
    const stop = (): string | undefined => read('Stop', { session_id: 's', transcript_path: file }, 'vscode')?.text;
    // Another process, because a hook waits without its event loop.
    const writing = line('assistant.message', 'The port was taken.') + line('assistant.turn_end');
    const script =
      'process.stdout.write("ready"); setTimeout(() => require("node:fs").appendFileSync(process.argv[1], process.argv[2]), 100)';
    const writer = spawn(process.execPath, ['-e', script, file, writing], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout, 'data');
    expect(stop()).toBe('The port was taken.');
    // A turn that ended without a word has no answer; the one before belongs to another prompt.
    await appendFile(file, line('user.message', 'Go on.') + line('assistant.turn_start'));
    expect(stop()).toBeUndefined();
    expect(read('PreCompact', { session_id: 's', transcript_path: file }, 'vscode')?.text).toBeUndefined();
  });
});

describe('the output for a client', () => {
  const context = 'Remember this.';
  it.each([
    ['claude', 'prompt', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: context } }],
    ['codex', 'session-start', { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: context } }],
    ['opencode', 'prompt', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: context } }],
    [
      'vscode',
      'prompt',
      { additionalContext: context, hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: context } },
    ],
    ['cursor', 'session-start', { additional_context: context }],
    ['cursor', 'prompt', { continue: true }],
  ] as const)('is in the form of %s at %s', (client, event, expected) => {
    expect(JSON.parse(outputFor({ client, event, context }))).toEqual(expected);
  });

  it.each([
    ['claude', 'tool', context],
    ['gemini', 'response', context],
    ['claude', 'prompt', ''],
    ['windsurf', 'prompt', context],
    ['cursor', 'tool', context],
    ['cursor', 'session-start', ''],
  ] as const)('is nothing to %s at %s, where it takes none', (client, event, said) => {
    expect(outputFor({ client, event, context: said })).toBe('');
  });
});

describe('the arguments of a hook', () => {
  it.each([
    [['Stop', '--client', 'cursor'], { event: 'Stop', client: 'cursor', configFile: undefined }],
    [['--client=Windsurf', 'post_run_command'], { event: 'post_run_command', client: 'windsurf', configFile: undefined }],
    [['--config', 'a.json', 'Stop', 'more', '--unknown'], { event: 'Stop', client: 'claude', configFile: 'a.json' }],
    [['--client'], { event: '', client: 'claude', configFile: undefined }],
    [[], { event: '', client: 'claude', configFile: undefined }],
  ])('is read from %j', (argv, expected) => {
    expect(hookArguments(argv)).toEqual(expected);
  });

  it('are ignored for help', () => {
    expect(hookArguments(['Stop', '--help'])).toBeUndefined();
  });
});
