import { realpath } from 'node:fs/promises';
import type { IntegrationState } from '../memory/operations/administration.ts';
import { editorOf } from './part-editor.ts';
import { exists, readState } from './atomic-files.ts';
import { readJournal, type Journal, type InsertedPart } from './journal.ts';
import type { Launcher } from './launcher.ts';
import { isOfPlugin, type Part } from './part.ts';
import type { UserFolders } from './user-folders.ts';
import { SCOPES, TARGET_NAMES, type Scope, type TargetFile, type TargetName } from './target.ts';
import { TARGETS } from './targets.ts';
import { partStateOf, type PartState } from './part-state.ts';

/**
 * State of a client: not set up; set up as this version would do it; changed by the user; written by another installation or an older version;
 * or a file of the client cannot be read.
 */
export type TargetState = IntegrationState;

/** One client at one scope. */
export interface TargetStatus {
  readonly target: TargetName;
  readonly title: string;
  readonly scope: Scope;
  readonly state: TargetState;
  /** The files that setup edits. */
  readonly files: readonly string[];
  /** Problems, one sentence each; empty for `absent` and `installed`. */
  readonly findings: readonly string[];
}

/** The state of every client at every scope, for the project of `places`. Only reads. Errors: `config` (a damaged journal), `filesystem`. */
export async function targetStates(options: { readonly places: UserFolders; readonly launcher: Launcher }): Promise<TargetStatus[]> {
  const { places } = options;
  const journal = await readJournal(places.data);
  // In the home folder, project files and user files are mostly the same: project states count only if setup wrote them for the project.
  const [home, project] = await Promise.all([places.home, places.project].map((folder) => realpath(folder).catch(() => folder)));
  const pairs = TARGET_NAMES.flatMap((target) => SCOPES.map((scope) => ({ target, scope })));
  const states = await Promise.all(pairs.map(({ target, scope }) => stateOf(target, { ...options, scope, journal })));
  if (home !== project) return states;
  const isHere = await Promise.all(states.map(async (state) => state.scope === 'user' || (await isRecorded(state, journal))));
  return states.filter((_, nth) => isHere[nth]);
}

/** Whether setup wrote one of the files for this client at this scope. */
async function isRecorded({ target, scope, files }: TargetStatus, journal: Journal): Promise<boolean> {
  const real = await Promise.all(files.map((path) => realpath(path).catch(() => path)));
  return real.some((path) => journal.get(path)?.parts.some((part) => part.target === target && part.scope === scope));
}

interface Context {
  readonly places: UserFolders;
  readonly launcher: Launcher;
  readonly scope: Scope;
  readonly journal: Journal;
}

interface Finding {
  readonly partState: PartState | 'unreadable';
  readonly words: string;
}

async function stateOf(target: TargetName, { places, launcher, scope, journal }: Context): Promise<TargetStatus> {
  const client = TARGETS[target];
  const findings: Finding[] = [];
  const isPlugin = [...journal.values()].some(({ parts }) => parts.some((one) => one.target === target && isOfPlugin(one.part)));
  const plugin = isPlugin && scope === 'user' ? client.plugin?.({ scope, places, launcher }) : undefined;
  const files = plugin?.files ?? (await client.files({ scope, places, launcher }));
  for (const file of files) findings.push(...(await examine(file, { target, scope, journal })));
  const has = (partState: Finding['partState']): boolean => findings.some((finding) => finding.partState === partState);
  const state = stateFrom(has);
  const isFine = state === 'absent' || state === 'installed';
  const words = isFine ? [] : findings.filter(({ partState }) => partState !== 'same').map((finding) => finding.words);
  return { target, title: client.title, scope, state, files: [...new Set(files.map(({ path }) => path))], findings: [...new Set(words)] };
}

function stateFrom(has: (partState: Finding['partState']) => boolean): TargetState {
  if (has('unreadable')) return 'unreadable';
  if (!has('same') && !has('outdated') && !has('edited')) return 'absent';
  if (has('edited') || has('missing')) return 'changed by hand';
  return has('outdated') ? 'outdated' : 'installed';
}

/** The findings in one file. Missing parts count only if the journal has them. */
async function examine(
  file: TargetFile,
  { target, scope, journal }: Omit<Context, 'places' | 'launcher'> & { target: TargetName },
): Promise<Finding[]> {
  const state = await readState(file.path).catch(() => undefined);
  const known = state && journal.get(state.real)?.parts.filter((one) => one.target === target && one.scope === scope);
  if (state === undefined) return (await exists(file.path)) ? [{ partState: 'unreadable', words: `${file.path} cannot be read.` }] : [];
  const findings: Finding[] = [];
  for (const part of file.parts.filter(({ kind }) => kind !== 'preset')) {
    const recorded = known?.find((one) => one.part.id === part.id);
    const finding = assess(part, { path: file.path, text: state.text, recorded });
    if (finding !== undefined) findings.push(finding);
  }
  return [...findings, ...newer(file, { known, text: state.text, findings })];
}

interface Examined {
  readonly known: readonly InsertedPart[] | undefined;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Findings for parts that an earlier version did not write: they are missing, but other parts of ours are present. */
function newer({ path, parts }: TargetFile, { known, text, findings }: Examined): Finding[] {
  if (!findings.some(({ partState }) => partState === 'same' || partState === 'outdated' || partState === 'edited')) return [];
  return parts
    .filter((part) => part.kind !== 'preset' && known?.some((one) => one.part.id === part.id) !== true)
    .filter((part) => editorOf(part).fault(text) === undefined && editorOf(part).find(text) === undefined)
    .map(({ id }) => ({ partState: 'outdated', words: `${path}: the ${id} is missing. An earlier version of Lore did not write it.` }));
}

interface Assessing {
  readonly path: string;
  readonly text: string;
  readonly recorded: InsertedPart | undefined;
}

function assess(part: Part, { path, text, recorded }: Assessing): Finding | undefined {
  const editor = editorOf(part);
  if (editor.fault(text) !== undefined) return recorded && { partState: 'unreadable', words: `${path} cannot be parsed.` };
  const partState = partStateOf(editor, text, recorded && editorOf(recorded.part).wanted);
  switch (partState) {
    case 'missing':
      return recorded && { partState, words: `${path}: the ${part.id} was removed.` };
    case 'foreign':
      return undefined;
    case 'edited':
      return { partState, words: `${path}: the ${part.id} was changed.` };
    case 'outdated':
      return { partState, words: `${path}: the ${part.id} is from another installation or version of Lore.` };
    case 'same':
      return { partState, words: '' };
  }
}
