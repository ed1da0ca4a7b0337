import { readFile, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { LoreError } from '../memory/errors.ts';
import { bytesOf, Drafts, isChanged, type Draft } from './file-draft.ts';
import { editorOf } from './part-editor.ts';
import { checkWritable, digest, removeEmpty, writeFiles, type FileChange } from './atomic-files.ts';
import { dropBackups, readJournal, writeJournal, type EditedFile, type Journal, type InsertedPart } from './journal.ts';
import { withoutEmpty } from './json-parts.ts';
import type { Launcher } from './launcher.ts';
import type { UserFolders } from './user-folders.ts';
import { isOfPlugin } from './part.ts';
import { TARGET_NAMES, type Scope, type Target, type TargetName } from './target.ts';
import { TARGETS } from './targets.ts';

/** What to remove. */
export interface TeardownRequest {
  readonly targets: readonly TargetName[];
  readonly scopes: readonly Scope[];
  /** Also in other projects than that of `places`. */
  readonly everywhere: boolean;
  readonly places: UserFolders;
  readonly launcher: Launcher;
  /** Also removes parts that the user changed. */
  readonly force: boolean;
  /** Changes nothing. */
  readonly dryRun: boolean;
}

/** What teardown did with one file, or would do with `dryRun`. */
export interface UndoneFile {
  readonly path: string;
  readonly targets: readonly TargetName[];
  /** `restore`: byte for byte as before setup; `remove`: setup had created it; `change`: our parts were removed; `keep`: nothing was removed. */
  readonly action: 'restore' | 'remove' | 'change' | 'keep';
  readonly before: string;
  readonly after: string;
}

/** What teardown did, or would do with `dryRun`. */
export interface TeardownOutcome {
  readonly files: readonly UndoneFile[];
  /** What was not removed, and why. */
  readonly warnings: readonly string[];
  /** Further steps for the user. */
  readonly notes: readonly string[];
}

interface Undoing {
  readonly draft: Draft;
  readonly targets: readonly TargetName[];
  readonly action: UndoneFile['action'];
  /** Undefined removes the file. */
  readonly content: Buffer | undefined;
  /** The new journal record; undefined if none of our parts is left. */
  readonly record: EditedFile | undefined;
}

/**
 * Removes what setup added. A file that nobody else changed is restored byte for byte; from others only our parts are removed. All files or none.
 * Errors: `invalid_input` (a file that can no longer be parsed), `filesystem`, `config` (a damaged journal).
 */
export async function tearDown(request: TeardownRequest): Promise<TeardownOutcome> {
  const { data } = request.places;
  const journal = await readJournal(data);
  const warnings: string[] = [];
  const undone: Undoing[] = [];
  const plugins = new Set<TargetName>();
  for (const [draft, leaving] of await leavingParts(request, journal)) {
    for (const { target, part } of leaving) if (isOfPlugin(part)) plugins.add(target);
    undone.push(await undo(draft, { leaving, request, warnings }));
  }
  const changes = undone
    .filter(({ action }) => action !== 'keep')
    .map(({ draft, content }): FileChange => ({ state: draft.state, content }));
  for (const { state } of changes) await checkWritable(state);
  if (!request.dryRun) await apply(journal, { data, undone, changes });
  return {
    files: undone.filter(({ targets }) => targets.length > 0).map(outcomeOf),
    warnings,
    notes: [...plugins].flatMap((name) => removing(name, request)),
  };
}

/** Steps for the user in a client that has its own copy of the plugin. */
function removing(name: TargetName, { places, launcher }: TeardownRequest): readonly string[] {
  const client: Target = TARGETS[name];
  return client.plugin?.({ scope: 'user', places, launcher }).remove ?? [];
}

/** The parts to remove, by file: those in the journal, and those found in files without a record. */
async function leavingParts(request: TeardownRequest, journal: Journal): Promise<Map<Draft, InsertedPart[]>> {
  const { targets, scopes, everywhere, places, launcher } = request;
  const drafts = new Drafts(journal);
  const leaving = new Map<Draft, InsertedPart[]>();
  const planned = new Map<Draft, InsertedPart[]>();
  for (const target of TARGET_NAMES.filter((name) => targets.includes(name))) {
    for (const scope of scopes) {
      const client: Target = TARGETS[target];
      const plugin = scope === 'user' ? (client.plugin?.({ scope, places, launcher }).files ?? []) : [];
      for (const file of [...(await client.files({ scope, places, launcher })), ...plugin]) {
        // A file that cannot be read and is not in the journal has no known part of ours.
        const draft = await drafts.open(file.path).catch(() => undefined);
        if (draft === undefined) continue;
        const parts = file.parts.map((part): InsertedPart => ({ target, scope, part }));
        planned.set(draft, [...(planned.get(draft) ?? []), ...parts]);
      }
    }
  }
  const paths = new Set([...planned.keys()].map(({ state }) => state.real));
  const project = `${await realpath(places.project).catch(() => places.project)}${sep}`;
  for (const record of journal.values()) {
    const isHere = everywhere || paths.has(record.path) || record.path.startsWith(project);
    const isMatch = ({ target, scope }: InsertedPart): boolean =>
      targets.includes(target) && scopes.includes(scope) && (scope === 'user' || isHere);
    if (!record.parts.some(isMatch)) continue;
    const draft = await drafts.open(record.path);
    // Empty if none of our parts is left in the file: then only the journal record is removed.
    leaving.set(draft, (draft.record?.parts ?? []).filter(isMatch));
  }
  for (const [draft, parts] of planned) {
    const strays = parts.filter(({ part }) => isStray(draft, part));
    if (strays.length > 0) leaving.set(draft, [...(leaving.get(draft) ?? []), ...strays]);
  }
  return leaving;
}

/** Whether the file has a part that setup wrote but that is not in the journal. */
function isStray(draft: Draft, part: InsertedPart['part']): boolean {
  if (part.kind === 'preset' || draft.record?.parts.some((known) => known.part.id === part.id) === true) return false;
  const editor = editorOf(part);
  if (editor.fault(draft.text) !== undefined) return false;
  const found = editor.find(draft.text);
  return found !== undefined && editor.isOurs(found);
}

interface UndoContext {
  readonly leaving: readonly InsertedPart[];
  readonly request: TeardownRequest;
  readonly warnings: string[];
}

async function undo(draft: Draft, { leaving, request, warnings }: UndoContext): Promise<Undoing> {
  const { record } = draft;
  const targets = [...new Set(leaving.map(({ target }) => target))];
  const staying = (record?.parts ?? []).filter((one) => !leaving.includes(one));
  if (record?.isExact === true && draft.isUntouched && staying.length === 0) {
    const original = await originalOf(record);
    if (original !== undefined) return { draft, targets, ...original, record: undefined };
  }
  const kept = takeOut(draft, { parts: leaving, staying, force: request.force, warnings });
  const left = [...staying, ...kept];
  tidy(draft, left.length === 0 ? leaving : []);
  const isOurFile = record?.existed === false || leaving.some(({ part }) => part.kind === 'whole');
  const isGone = leaving.length > 0 && left.length === 0 && isOurFile && isBare(draft.text);
  const isKept = !isGone && !isChanged(draft);
  return {
    draft,
    targets,
    action: isGone ? 'remove' : isKept ? 'keep' : 'change',
    content: isGone ? undefined : bytesOf(draft),
    record: record === undefined || left.length === 0 ? undefined : after(record, { parts: left, draft, isKept }),
  };
}

/** Removes containers and presets that only existed for removed parts. */
function tidy(draft: Draft, gone: readonly InsertedPart[]): void {
  draft.text = withoutEmpty(draft.text, draft.record?.made ?? []);
  for (const { part } of gone) if (part.kind === 'preset') draft.text = editorOf(part).take(draft.text);
}

/** The state before setup: no file, or the backup; undefined if the backup is lost. */
async function originalOf({ existed, backup }: EditedFile): Promise<Pick<Undoing, 'action' | 'content'> | undefined> {
  if (!existed) return { action: 'remove', content: undefined };
  const content = backup === undefined ? undefined : await readFile(backup).catch(() => undefined);
  return content && { action: 'restore', content };
}

interface TakingOut {
  readonly parts: readonly InsertedPart[];
  readonly staying: readonly InsertedPart[];
  readonly force: boolean;
  readonly warnings: string[];
}

/** Removes parts from the draft that no other target needs. Returns those that stay because the user changed them. */
function takeOut(draft: Draft, { parts, staying, force, warnings }: TakingOut): InsertedPart[] {
  const kept: InsertedPart[] = [];
  for (const placed of parts) {
    const { part } = placed;
    const editor = editorOf(part);
    const fault = editor.fault(draft.text);
    if (fault !== undefined) throw unreadable(draft, fault);
    const found = part.kind === 'preset' ? undefined : editor.find(draft.text);
    if (found === undefined || staying.some((other) => other.part.id === part.id)) continue;
    const isKnown = draft.record?.parts.includes(placed) === true;
    if (found === editor.wanted || !isKnown || force) {
      const added = editor.added?.(draft.text) ?? [];
      const rest = editor.take(draft.text);
      if (rest === draft.text) warnings.push(`${draft.state.path}: the ${part.id} cannot be removed automatically; remove it by hand.`);
      else if (added.length > 0)
        warnings.push(`${draft.state.path}: the ${part.id} was removed, including what was added to it: ${added.join(', ')}.`);
      draft.text = rest;
    } else {
      warnings.push(`${draft.state.path}: the ${part.id} was changed by hand and stays; --force removes it.`);
      kept.push(placed);
    }
  }
  return kept;
}

function unreadable({ state }: Draft, fault: string): LoreError {
  return new LoreError('invalid_input', `${state.path} cannot be edited: ${fault}. Nothing was changed.`, {
    hint: 'Repair the file and run the command again, or remove the entry named lore by hand.',
  });
}

/** Whether the text is blank or an empty JSON object. */
function isBare(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text);
}

function after(record: EditedFile, { parts, draft, isKept }: { parts: InsertedPart[]; draft: Draft; isKept: boolean }): EditedFile {
  if (isKept) return { ...record, parts };
  return { ...record, parts, after: digest(bytesOf(draft)), isExact: record.isExact && draft.isUntouched };
}

interface Work {
  readonly data: string;
  readonly undone: readonly Undoing[];
  readonly changes: readonly FileChange[];
}

/** Writes the files, then the journal: after a crash, what is still in the journal can be torn down again. */
async function apply(journal: Journal, { data, undone, changes }: Work): Promise<void> {
  await writeFiles(changes);
  const next = new Map(journal);
  const settled: EditedFile[] = [];
  for (const { draft, record } of undone) {
    const known = journal.get(draft.state.real);
    if (record !== undefined) next.set(draft.state.real, record);
    else if (known !== undefined) {
      next.delete(draft.state.real);
      settled.push(known);
    }
  }
  if (undone.length > 0) await writeJournal(data, next);
  await removeEmpty(settled.flatMap(({ folders }) => folders));
  await dropBackups(
    data,
    settled.map(({ backup }) => backup),
  );
}

function outcomeOf({ draft, targets, action, content }: Undoing): UndoneFile {
  const after = content === undefined ? '' : content.toString('utf8').replace(/^\uFEFF/, '');
  return { path: draft.state.path, targets, action, before: draft.state.text, after };
}
