import type { CaptureEventName } from '../memory/operations/capture-operations.ts';

/** Events by the names that clients use, in lower case and letters only. */
const EVENTS: Readonly<Record<string, CaptureEventName>> = {
  sessionstart: 'session-start',
  beforeagent: 'prompt',
  userpromptsubmit: 'prompt',
  beforesubmitprompt: 'prompt',
  preuserprompt: 'prompt',
  prompt: 'prompt',
  posttooluse: 'tool',
  posttoolusefailure: 'tool',
  aftertool: 'tool',
  aftershellexecution: 'tool',
  aftermcpexecution: 'tool',
  afterfileedit: 'tool',
  postruncommand: 'tool',
  postmcptooluse: 'tool',
  postwritecode: 'tool',
  postreadcode: 'tool',
  tool: 'tool',
  stop: 'response',
  subagentstop: 'response',
  stopfailure: 'response',
  precompact: 'response',
  precompress: 'response',
  afteragent: 'response',
  afteragentresponse: 'response',
  postcascaderesponse: 'response',
  response: 'response',
  sessionend: 'session-end',
};
/** The tool of an event whose name implies one. */
const TOOLS: Readonly<Record<string, string>> = {
  aftershellexecution: 'Shell',
  postruncommand: 'Shell',
  afterfileedit: 'Edit',
  postwritecode: 'Write',
  postreadcode: 'Read',
};

/** Events after which the whole transcript of the session is read. A subagent has its own transcript. */
const READS_WHOLE: ReadonlySet<string> = new Set(['stop', 'precompact', 'precompress', 'afteragent', 'sessionend']);

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** The event of a client's name in any spelling style; undefined if Lore does not use that event. */
export function eventNamed(name: string): CaptureEventName | undefined {
  return Object.hasOwn(EVENTS, bare(name)) ? EVENTS[bare(name)] : undefined;
}

/** The tool that the name of an event implies, if any. */
export function toolNamed(name: string): string | undefined {
  return Object.hasOwn(TOOLS, bare(name)) ? TOOLS[bare(name)] : undefined;
}

/** Client-specific names of the shell tool. */
const SHELLS: ReadonlySet<string> = new Set(['run_shell_command']);

/** The common name of a tool. */
export const sharedName = (tool: string): string => (SHELLS.has(tool) ? 'Shell' : tool);

export const readsWholeFile = (name: string): boolean => READS_WHOLE.has(bare(name));

/** Whether the turn ended in an error: the payload then holds the error instead of a response. */
export const endsInError = (name: string): boolean => bare(name) === 'stopfailure';

/** Whether the event name says that the tool failed. */
export const namesFailure = (name: string): boolean => bare(name) === 'posttoolusefailure';
