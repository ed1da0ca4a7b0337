// What clients write to the standard input of a hook, in the form of each (docs/integrations.md), and what they take from its output.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const said = (role, content) => `${JSON.stringify({ type: role, message: { role, content } })}\n`;

/** Claude Code and Codex; both write a transcript, and name it in every event. */
class ClaudeLike {
  constructor(name, { session, cwd }) {
    this.name = name;
    this.about = { session_id: session, cwd, transcript_path: path.join(cwd, `${session}.jsonl`) };
    writeFileSync(this.about.transcript_path, '');
  }

  #event(hook_event_name, fields) {
    return { event: hook_event_name, payload: { ...this.about, hook_event_name, ...fields } };
  }

  #tell(role, content) {
    appendFileSync(this.about.transcript_path, said(role, content));
  }

  start() {
    return this.#event('SessionStart', { source: 'startup' });
  }

  prompt(prompt) {
    this.#tell('user', prompt);
    return this.#event('UserPromptSubmit', { prompt });
  }

  run({ tool, command, output, failed }) {
    this.#tell('assistant', [{ type: 'tool_use', name: tool, input: { command } }]);
    this.#tell('user', [{ type: 'tool_result', content: output, is_error: failed }]);
    const about = { tool_name: tool, tool_input: { command } };
    if (this.name === 'codex') return this.#event('PostToolUse', { ...about, tool_response: output });
    if (failed) return this.#event('PostToolUseFailure', { ...about, error: `Exit code 1\n${output}` });
    return this.#event('PostToolUse', { ...about, tool_response: { stdout: output, stderr: '', interrupted: false } });
  }

  edit(file) {
    if (this.name === 'codex') {
      const command = `*** Begin Patch\n*** Update File: ${file}\n@@\n-old\n+new\n*** End Patch`;
      return this.#event('PostToolUse', { tool_name: 'apply_patch', tool_input: { command }, tool_response: 'Success.' });
    }
    const tool_input = { file_path: file, old_string: 'old', new_string: 'new' };
    return this.#event('PostToolUse', { tool_name: 'Edit', tool_input, tool_response: { filePath: file } });
  }

  answer(text) {
    this.#tell('assistant', [{ type: 'text', text }]);
    return this.#event('Stop', { stop_hook_active: false, last_assistant_message: text });
  }

  end() {
    return this.#event('SessionEnd', { reason: 'exit' });
  }

  contextIn(output) {
    return output === '' ? '' : (JSON.parse(output).hookSpecificOutput?.additionalContext ?? '');
  }
}

/** Cursor takes a context at the start of a session only. */
class Cursor {
  constructor({ session, cwd }) {
    this.name = 'cursor';
    this.about = { conversation_id: session, workspace_roots: [cwd] };
  }

  #event(hook_event_name, fields) {
    return { event: hook_event_name, payload: { ...this.about, hook_event_name, ...fields } };
  }

  start() {
    return this.#event('sessionStart', {});
  }

  prompt(prompt) {
    return this.#event('beforeSubmitPrompt', { prompt, attachments: [] });
  }

  run({ command, output, failed }) {
    if (failed) return this.#event('postToolUseFailure', { tool_name: 'Shell', tool_input: { command }, error_message: output });
    return this.#event('afterShellExecution', { command, output });
  }

  edit(file) {
    return this.#event('afterFileEdit', { file_path: file, edits: [{ old_string: 'old', new_string: 'new' }] });
  }

  answer(text) {
    return this.#event('afterAgentResponse', { text });
  }

  end() {
    return this.#event('sessionEnd', { reason: 'completed' });
  }

  contextIn(output) {
    return output === '' ? '' : (JSON.parse(output).additional_context ?? '');
  }
}

/** One session of a client: its events, and how it reads what a hook prints. */
export function openClient(name, about) {
  return name === 'cursor' ? new Cursor(about) : new ClaudeLike(name, about);
}
