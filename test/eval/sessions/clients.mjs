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

  start(source = 'startup') {
    return this.#event('SessionStart', { source });
  }

  compact() {
    return this.#event('PreCompact', { trigger: 'auto', custom_instructions: '' });
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

  /** No hook is asked about it; it stands in the transcript only. */
  read({ file, before: content }) {
    this.#tell('assistant', [{ type: 'tool_use', name: 'Read', input: { file_path: file } }]);
    this.#tell('user', [{ type: 'tool_result', content }]);
  }

  edit({ file, before, after }) {
    if (this.name === 'codex') {
      const command = `*** Begin Patch\n*** Update File: ${file}\n@@\n-${before}\n+${after}\n*** End Patch`;
      return this.#event('PostToolUse', { tool_name: 'apply_patch', tool_input: { command }, tool_response: 'Success.' });
    }
    const tool_input = { file_path: file, old_string: before, new_string: after };
    this.#tell('assistant', [{ type: 'tool_use', name: 'Edit', input: tool_input }]);
    this.#tell('user', [{ type: 'tool_result', content: `The file ${file} has been updated.` }]);
    return this.#event('PostToolUse', { tool_name: 'Edit', tool_input, tool_response: { filePath: file } });
  }

  answer(text) {
    this.#tell('assistant', [{ type: 'text', text }]);
    return this.#event('Stop', { stop_hook_active: false, last_assistant_message: text });
  }

  end(reason = 'prompt_input_exit') {
    return this.#event('SessionEnd', { reason });
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

  read() {
    return;
  }

  edit({ file, before, after }) {
    return this.#event('afterFileEdit', { file_path: file, edits: [{ old_string: before, new_string: after }] });
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
