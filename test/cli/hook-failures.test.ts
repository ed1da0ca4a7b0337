import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

const COMMAND = 'npm test';
const FAILED = 'FAIL src/cart.test.ts\nTypeError: price is not a function\nTests: 1 failed, 3 passed';
const PASSED = 'PASS src/cart.test.ts\nTests: 4 passed';
const FIX = /^`npm test` went through after editing cart\.ts\. Before, it failed: .*TypeError: price is not a function/s;

/** Event and payload of one hook. */
type Hook = readonly [event: string, payload: object];

let cli: CliInProcess;
beforeAll(async () => {
  cli = await openCliInProcess();
  await cli.serveHere({ SERVICE_CAPTURE_WORKER_INTERVAL_MS: '100' });
});
afterAll(() => cli[Symbol.asyncDispose]());

/**
 * What each client sends for a command that fails, an edit, and the same command again. Claude Code: anthropics/claude-code#29799 and #83394. Codex:
 * openai/codex#34289 and #42864. OpenCode as its plugin sends it. VS Code: github/copilot-sdk#1421.
 */
const SESSIONS: Readonly<Record<string, (session: object, file: string) => readonly Hook[]>> = {
  claude: (session, file) => {
    const bash = { ...session, tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: { command: COMMAND, description: 'Run the tests' } };
    return [
      ['PostToolUseFailure', { ...bash, hook_event_name: 'PostToolUseFailure', error: `Exit code 1\n${FAILED}`, is_interrupt: false }],
      [
        'PostToolUseFailure',
        { ...session, tool_name: 'Write', tool_input: { file_path: '/nowhere/other.ts' }, error: 'ENOENT: no such file or directory' },
      ],
      [
        'PostToolUse',
        {
          ...session,
          tool_name: 'Edit',
          tool_input: { file_path: file, old_string: 'a', new_string: 'b' },
          tool_response: { filePath: file },
        },
      ],
      ['PostToolUse', { ...bash, tool_response: { stdout: PASSED, stderr: '', interrupted: false, isImage: false } }],
    ];
  },
  cursor: (session, file) => {
    const shell = { ...session, tool_name: 'Shell', tool_use_id: 'call_1', tool_input: { command: COMMAND, working_directory: cli.cwd } };
    return [
      ['postToolUseFailure', { ...shell, error_message: FAILED, failure_type: 'error', duration: 900, is_interrupt: false }],
      ['postToolUse', { ...session, tool_name: 'Write', tool_input: { file_path: file, content: 'b' }, tool_output: '{"success":true}' }],
      ['postToolUse', { ...shell, tool_output: JSON.stringify({ output: PASSED, exitCode: 0 }), duration: 800 }],
    ];
  },
  codex: (session, file) => {
    const bash = { ...session, turn_id: 't', tool_name: 'Bash', tool_input: { command: COMMAND } };
    const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n-a / b\n+c / d\n*** End Patch`;
    return [
      ['PostToolUse', { ...bash, tool_use_id: 'call_1', tool_response: FAILED }],
      ['PostToolUse', { ...session, tool_name: 'apply_patch', tool_input: { command: patch }, tool_response: 'Success.' }],
      ['PostToolUse', { ...bash, tool_use_id: 'call_3', tool_response: PASSED }],
    ];
  },
  opencode: (session, file) => {
    const bash = { ...session, tool_name: 'bash', tool_input: { command: COMMAND } };
    return [
      ['PostToolUse', { ...bash, tool_use_id: 'c1', tool_response: { output: FAILED, metadata: { exit: 1 } } }],
      ['PostToolUse', { ...session, tool_name: 'edit', tool_input: { filePath: file }, tool_response: { output: '', metadata: {} } }],
      ['PostToolUse', { ...bash, tool_use_id: 'c3', tool_response: { output: PASSED, metadata: { exit: 0 } } }],
    ];
  },
  vscode: (session, file) => {
    const terminal = { ...session, tool_name: 'run_in_terminal', tool_input: { command: COMMAND } };
    return [
      ['PostToolUseFailure', { ...terminal, error: FAILED }],
      [
        'PostToolUse',
        { ...session, tool_name: 'replace_string_in_file', tool_input: { filePath: file }, tool_response: 'The file was edited.' },
      ],
      ['PostToolUse', { ...terminal, tool_response: PASSED }],
    ];
  },
  // Copilot CLI 1.0.102, under the same name.
  'vscode (Copilot CLI)': (session, file) => {
    const bash = { ...session, tool_name: 'Bash', tool_input: { command: COMMAND, description: 'Run the tests' } };
    const told = (text: string, code = 0) => ({
      result_type: 'success',
      text_result_for_llm: `${text}\n<shellId: 0 completed with exit code ${code}>`,
    });
    return [
      ['PostToolUse', { ...bash, tool_result: told(FAILED, 1) }],
      [
        'PostToolUse',
        {
          ...session,
          tool_name: 'Edit',
          tool_input: { file_path: file },
          tool_result: { result_type: 'success', text_result_for_llm: '' },
        },
      ],
      ['PostToolUse', { ...bash, tool_result: told(PASSED) }],
    ];
  },
  gemini: (session, file) => {
    const shell = { ...session, tool_name: 'run_shell_command', tool_input: { command: COMMAND } };
    const told = (output: string, more = '') => ({ llmContent: `Output: ${output}${more}`, returnDisplay: output });
    return [
      ['AfterTool', { ...shell, tool_response: told(FAILED, '\nExit Code: 1\nProcess Group PGID: 7') }],
      ['AfterTool', { ...session, tool_name: 'replace', tool_input: { file_path: file }, tool_response: told('Modified the file.') }],
      ['AfterTool', { ...shell, tool_response: told(PASSED) }],
    ];
  },
};

it.each(Object.entries(SESSIONS))(
  'a command that failed in %s and succeeded after an edit becomes a fix that recall finds',
  async (client, hooks) => {
    const folder = path.join(cli.cwd, client);
    await mkdir(folder);
    const session = client === 'cursor' ? { conversation_id: client, workspace_roots: [folder] } : { session_id: client, cwd: folder };
    for (const [event, payload] of hooks(session, path.join(folder, 'src', 'cart.ts'))) {
      const ran = await cli.run(['hook', event, '--client', client.split(' ')[0]!], { input: JSON.stringify(payload) });
      expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '' });
    }
    const found = async (): Promise<string[]> => {
      const recall = await cli.run(['recall', 'why did npm test fail: price is not a function', '--json'], { cwd: folder });
      const { results } = recall.json<{ results: { entry: { content: string; tags: string[] } }[] }>();
      return results.filter(({ entry }) => entry.tags.includes('fix')).map(({ entry }) => entry.content);
    };
    await expect.poll(found, { timeout: 15_000 }).toEqual([expect.stringMatching(FIX)]);
  },
);
