import type { CaptureEventName } from '../memory/operations/capture-operations.ts';

/** What the events of clients are, by their names without marks and case. */
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
/** Tools of events that are named for what they tell of. */
const TOOLS: Readonly<Record<string, string>> = {
  aftershellexecution: 'Shell',
  postruncommand: 'Shell',
  afterfileedit: 'Edit',
  postwritecode: 'Write',
  postreadcode: 'Read',
};

/** Events after which the transcript of the session is read as a whole. A subagent has one of its own. */
const READS_WHOLE: ReadonlySet<string> = new Set(['stop', 'precompact', 'precompress', 'afteragent', 'sessionend']);

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Which event a client's name means, in whatever style it is written; undefined for one that is of no interest. */
export function eventNamed(name: string): CaptureEventName | undefined {
  return Object.hasOwn(EVENTS, bare(name)) ? EVENTS[bare(name)] : undefined;
}

/** The tool that an event of this name is about, where the name says it. */
export function toolNamed(name: string): string | undefined {
  return Object.hasOwn(TOOLS, bare(name)) ? TOOLS[bare(name)] : undefined;
}

/** Names of tools that say less than those of others. */
const SHELLS: ReadonlySet<string> = new Set(['run_shell_command']);

/** The tool in words that all clients share, where the client's own would not be understood. */
export const sharedName = (tool: string): string => (SHELLS.has(tool) ? 'Shell' : tool);

export const readsWhole = (name: string): boolean => READS_WHOLE.has(bare(name));

/** Whether the turn ended in an error, which then stands in the place of an answer. */
export const endsInError = (name: string): boolean => bare(name) === 'stopfailure';

/** Whether the name itself says that the tool failed. */
export const namesFailure = (name: string): boolean => bare(name) === 'posttoolusefailure';
