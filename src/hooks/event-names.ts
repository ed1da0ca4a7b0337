import type { CaptureEventName } from '../memory/operations/capture-operations.ts';

/** What the events of clients are, by their names without marks and case. */
const EVENTS: Readonly<Record<string, CaptureEventName>> = {
  sessionstart: 'session-start',
  userpromptsubmit: 'prompt',
  beforesubmitprompt: 'prompt',
  preuserprompt: 'prompt',
  prompt: 'prompt',
  posttooluse: 'tool',
  posttoolusefailure: 'tool',
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

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Which event a client's name means, in whatever style it is written; undefined for one that is of no interest. */
export function eventNamed(name: string): CaptureEventName | undefined {
  return Object.hasOwn(EVENTS, bare(name)) ? EVENTS[bare(name)] : undefined;
}

/** The tool that an event of this name is about, where the name says it. */
export function toolNamed(name: string): string | undefined {
  return Object.hasOwn(TOOLS, bare(name)) ? TOOLS[bare(name)] : undefined;
}

/** Whether the name itself says that the tool failed. */
export const namesFailure = (name: string): boolean => bare(name) === 'posttoolusefailure';
