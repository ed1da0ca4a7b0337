import { isAbsolute } from 'node:path';
import type { CaptureRequest } from '../memory/operations/capture-operations.ts';
import { redact } from '../memory/secrets/redaction.ts';
import { endsInError, eventNamed, namesFailure, readsWholeFile, sharedName, toolNamed } from './event-names.ts';
import { lastAnswerIn } from './transcript.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Parsed JSON of a client. */
export type Json = Readonly<Record<string, unknown>>;

/** Characters of a text that are read before redaction. More than are sent, so that a secret cut in half at the end is not sent. */
const READ_CHARS = 60_000;
/** Characters of a text that are sent: several times what can be stored. */
const SENT_CHARS = 24_000;
/** Fields of a result that can hold the output, in this order. */
const OUTPUT_FIELDS = [
  'stdout',
  'stderr',
  'output',
  'llmContent',
  'text_result_for_llm',
  'result',
  'content',
  'text',
  'error',
  'message',
] as const;
const INPUT_FIELDS = [
  'command',
  'command_line',
  'cmd',
  'script',
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'url',
  'query',
  'pattern',
] as const;
/** Edits of one call, and characters of one edit, that are sent. */
const MOST_EDITS = 10;
const MOST_EDITED = 1000;
const MAX_NAME = 128;
const MAX_SESSION = 256;
const MAX_FOLDER = 4096;

interface HookCall {
  /** Event name of the command line. */
  readonly event: string;
  readonly client: string;
  /** Parsed standard input; an empty object if it was no JSON. */
  readonly payload: Json;
  /** Working folder of the client. */
  readonly cwd: string;
  readonly namespace: string | undefined;
  /** Whether secrets are redacted. */
  readonly redacts: boolean;
}

/** The client's event as a capture request without secrets; undefined if Lore does not use the event. Never throws. */
export function eventOf({ event: asked, client, payload, cwd, namespace, redacts }: HookCall): CaptureRequest | undefined {
  const name = eventNamed(asked) === undefined ? textOf(payload, 'hook_event_name', 'agent_action_name', 'event') : asked;
  const event = eventNamed(name ?? '');
  if (event === undefined || name === undefined || (event === 'tool' && neverRan(payload))) return undefined;
  const clean = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : cleaned(text, redacts));
  const words = event === 'prompt' ? promptIn(payload, client) : event === 'response' ? responseIn(payload, name) : undefined;
  const text = clean(words);
  const about = event === 'tool' ? toolIn(payload, name) : undefined;
  const [input, output] = [clean(about?.input), clean(about?.output)];
  return {
    client: named(client, MAX_NAME) ?? 'unknown',
    session:
      named(textOf(payload, 'session_id', 'conversation_id', 'trajectory_id', 'sessionID', 'thread_id') ?? '', MAX_SESSION) ?? 'unknown',
    event,
    cwd,
    at: Date.now(),
    ...withoutUndefined({ namespace, text, tool: about?.tool, input, output, failed: about?.failed }),
  };
}

/** Path of the transcript that must be read as a whole after this event, if any. Does not open it. */
export function transcriptIn({ event: asked, payload }: Pick<HookCall, 'event' | 'payload'>): string | undefined {
  const name = eventNamed(asked) === undefined ? textOf(payload, 'hook_event_name', 'agent_action_name', 'event') : asked;
  const file = textOf(payload, 'transcript_path');
  const isFile = file !== undefined && isAbsolute(file) && file.length <= MAX_FOLDER && !file.includes('\0') && file.isWellFormed();
  return isFile && name !== undefined && readsWholeFile(name) ? file : undefined;
}

/** The working folder that the client names, else `own`. */
export function folderOf(payload: Json, own: string): string {
  const said =
    textOf(payload, 'cwd', 'directory', 'workspace_root') ?? firstText(payload['workspace_roots']) ?? textOf(info(payload), 'cwd');
  return (said ?? own).replaceAll('\0', '').slice(0, MAX_FOLDER).toWellFormed() || own;
}

/** `opencode run` puts an argument with spaces into quotes, which would make the prompt look like a quotation. */
const QUOTED_ARGUMENT = /^"((?:[^"]|(?<=\\)")*)"$/;

/** Windsurf puts the fields of an event into a nested object. */
const info = (payload: Json): Json => recordOf(payload['tool_info']) ?? {};

function promptIn(payload: Json, client: string): string | undefined {
  const said = textOf(payload, 'prompt', 'user_prompt', 'message', 'text') ?? textOf(info(payload), 'user_prompt', 'prompt', 'text');
  return client === 'opencode' ? said?.replace(QUOTED_ARGUMENT, (_, text: string) => text.replaceAll(String.raw`\"`, '"')) : said;
}

/** The last response of the agent: from the event, else from the end of its transcript. */
function responseIn(payload: Json, name: string): string | undefined {
  const said =
    textOf(payload, 'last_assistant_message', 'last-assistant-message', 'prompt_response', 'response', 'text') ??
    textOf(info(payload), 'response', 'text');
  if (said !== undefined && !endsInError(name)) return said;
  const transcript = textOf(payload, 'agent_transcript_path', 'transcript_path');
  return transcript === undefined ? undefined : lastAnswerIn(transcript, /stop$/i.test(name));
}

interface ToolUse {
  readonly tool: string | undefined;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly failed: boolean | undefined;
}

function toolIn(payload: Json, name: string): ToolUse {
  const about = info(payload);
  const tool = textOf(payload, 'tool_name', 'tool') ?? textOf(about, 'tool_name', 'mcp_tool_name') ?? toolNamed(name);
  const given = payload['tool_input'] ?? payload['input'] ?? payload['args'];
  const input = inputText(given) ?? inputText(payload) ?? inputText(about);
  const result =
    payload['tool_response'] ??
    payload['tool_output'] ??
    payload['tool_result'] ??
    payload['result_json'] ??
    payload['output'] ??
    about['mcp_result'] ??
    about['output'];
  const parsed = typeof result === 'string' ? (parsedJson(result) ?? result) : result;
  // Claude Code reports a failure in `error`, status first, then the output; Cursor in `error_message`.
  const output =
    editIn(recordOf(given) ?? payload) ?? outputText(parsed) ?? textOf(payload, 'error', 'error_message') ?? outputText(payload['error']);
  return {
    tool: tool === undefined ? undefined : named(sharedName(tool), MAX_NAME),
    input,
    output: output?.replace(COPILOT_STATUS, ''),
    failed: failureIn(payload, parsed, name),
  };
}

/** The input as a string: the command or the first known field. */
function inputText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const record = recordOf(value);
  if (record === undefined) return undefined;
  const command = record['command'];
  if (Array.isArray(command)) return command.filter((word) => typeof word === 'string').join(' ');
  return textOf(record, ...INPUT_FIELDS);
}

/** The replaced and the new text of an edit as lines of a patch; undefined if the call is no edit. Long texts are left out. */
function editIn(call: Json): string | undefined {
  const edits = Array.isArray(call['edits']) ? call['edits'].slice(0, MOST_EDITS) : [call];
  const lines = edits.flatMap((each) => {
    const edit = recordOf(each) ?? {};
    const [before, after] = [edit['old_string'] ?? edit['oldString'], edit['new_string'] ?? edit['newString']];
    if (typeof before !== 'string' || typeof after !== 'string' || before.length + after.length > MOST_EDITED) return [];
    return [...before.split('\n').map((line) => `-${line}`), ...after.split('\n').map((line) => `+${line}`)];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

function outputText(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined;
  const parts = Array.isArray(value) ? value.slice(0, 50) : OUTPUT_FIELDS.map((field) => (value as Json)[field]);
  const texts = parts.flatMap((part) => outputText(part, depth + 1) ?? []).filter((text) => text.trim() !== '');
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** Whether the tool was interrupted by the user or denied permission: such a call says nothing about the command. */
function neverRan(payload: Json): boolean {
  return payload['is_interrupt'] === true || payload['failure_type'] === 'permission_denied';
}

/** How Codex starts an output that includes the status; most versions give only the output (openai/codex#42864). */
const STATUS_LINE = /^(?:(?:chunk id|wall time|original token count):.*\n)*(?:process exited with code|exit code:?) (\d+)\s*$/im;
/** How Gemini CLI ends the output of a failed command. */
const GEMINI_STATUS = /^Exit Code: (\d+)$/m;
/** How Copilot CLI (1.0.102) ends the output of a command; it reports every command as successful. */
const COPILOT_STATUS = /\n?<shellId: \S+ completed with exit code (\d+)>\s*$/;
/** Only the start is searched: the status precedes the output. */
const STATUS_CHARS = 300;

/** Whether the tool failed; undefined if the client does not say. */
function failureIn(payload: Json, result: unknown, name: string): boolean | undefined {
  if (namesFailure(name)) return true;
  const status = typeof result === 'string' ? STATUS_LINE.exec(result.slice(0, STATUS_CHARS)) : null;
  if (status?.index === 0) return Number(status[1]) !== 0;
  const record = recordOf(result) ?? {};
  const last = GEMINI_STATUS.exec(textOf(record, 'llmContent') ?? '') ?? COPILOT_STATUS.exec(textOf(record, 'text_result_for_llm') ?? '');
  if (last !== null) return Number(last[1]) !== 0;
  for (const each of [record, recordOf(record['metadata']), payload, info(payload)]) {
    if (each === undefined) continue;
    for (const field of ['exit_code', 'exitCode', 'code', 'exit']) if (typeof each[field] === 'number') return each[field] !== 0;
    for (const field of ['is_error', 'isError', 'failed', 'interrupted']) if (each[field] === true) return true;
  }
  return undefined;
}

function cleaned(text: string, redacts: boolean): string {
  const read = text.slice(0, READ_CHARS).toWellFormed();
  return (redacts ? redact(read).text : read).slice(0, SENT_CHARS).toWellFormed();
}

/** A name that the server accepts; undefined if nothing is left of it. */
function named(text: string, most: number): string | undefined {
  const name = text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()
    .trim();
  return name === '' ? undefined : name;
}

/** The first of these fields that is a string and not blank. */
function textOf(record: Json, ...fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(record, field) ? record[field] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof first === 'string' && first !== '' ? first : undefined;
}

function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
