import { LoreError } from '../memory/errors.ts';
import { bytesOf, Drafts, isChanged, type Draft } from './file-draft.ts';
import { editorOf } from './part-editor.ts';
import { checkWritable, digest, exists, missingFolders, writeFiles } from './atomic-files.ts';
import { dropBackups, keepBackup, readJournal, writeJournal, type EditedFile, type Journal, type InsertedPart } from './journal.ts';
import type { Launcher } from './launcher.ts';
import { isOfPlugin, type Part } from './part.ts';
import type { UserFolders } from './user-folders.ts';
import { TARGET_NAMES, type Purpose, type Scope, type Target, type TargetFile, type TargetName } from './target.ts';
import { TARGETS } from './targets.ts';
import { partStateOf } from './part-state.ts';

/** What to set up. */
export interface SetupRequest {
  readonly targets: readonly TargetName[];
  readonly scope: Scope;
  /** Writes plugins instead of the clients' files. Default false. */
  readonly plugin?: boolean;
  readonly places: UserFolders;
  readonly launcher: Launcher;
  /** Skips files with these purposes. */
  readonly without: ReadonlySet<Purpose>;
  /** Replaces parts that the user changed, and entries with our name that are not ours. */
  readonly force: boolean;
  /** Changes nothing. */
  readonly dryRun: boolean;
}

/** What setup did with one file, or would do with `dryRun`. */
export interface FileOutcome {
  readonly path: string;
  readonly purpose: Purpose;
  readonly action: 'create' | 'change' | 'keep';
  /** The text before and after. */
  readonly before: string;
  readonly after: string;
}

/** What setup did for one client. */
export interface SetupOutcome {
  readonly target: TargetName;
  readonly title: string;
  readonly scope: Scope;
  readonly files: readonly FileOutcome[];
  /** What was not changed, and why. */
  readonly warnings: readonly string[];
  /** Further steps for the user. */
  readonly notes: readonly string[];
}

/** The clients found on this machine. */
export async function clientsHere(places: UserFolders): Promise<TargetName[]> {
  const found = await Promise.all(
    TARGET_NAMES.map(async (name) => (await Promise.all(TARGETS[name].traces(places).map(exists))).some(Boolean)),
  );
  return TARGET_NAMES.filter((_, nth) => found[nth]);
}

/**
 * Adds Lore to the files of the clients: all files of all targets, or none. Safe to repeat. Errors: `invalid_input` (a file that cannot be
 * parsed, an entry with our name that is not ours), `filesystem`, `config` (a damaged journal).
 */
export async function setUp(request: SetupRequest): Promise<SetupOutcome[]> {
  const journal = await readJournal(request.places.data);
  const drafts = new Drafts(journal);
  const placed = new Map<Draft, InsertedPart[]>();
  const outcomes: SetupOutcome[] = [];
  for (const name of request.targets) outcomes.push(await planTarget(name, { request, drafts, placed }));
  for (const draft of drafts.all().filter(isChanged)) await checkWritable(draft.state);
  if (!request.dryRun) await apply(journal, { data: request.places.data, drafts: drafts.all(), placed });
  return outcomes;
}

interface Planning {
  readonly request: SetupRequest;
  readonly drafts: Drafts;
  readonly placed: Map<Draft, InsertedPart[]>;
}

async function planTarget(name: TargetName, { request, drafts, placed }: Planning): Promise<SetupOutcome> {
  const { scope, without } = request;
  const client = TARGETS[name];
  const warnings: string[] = [];
  const outcomes: FileOutcome[] = [];
  const { files, notes } = await wanted(client, request);
  for (const file of files) {
    if (without.has(file.purpose)) continue;
    const draft = await drafts.open(file.path);
    const before = draft.text;
    const isNew = draft.state.bytes === undefined;
    const parts = place(file, { draft, force: request.force, warnings });
    placed.set(draft, [...(placed.get(draft) ?? []), ...parts.map((part) => ({ target: name, scope, part }))]);
    const action = draft.text === before ? 'keep' : isNew ? 'create' : 'change';
    outcomes.push({ path: file.path, purpose: file.purpose, action, before, after: draft.text });
  }
  return { target: name, title: client.title, scope, files: outcomes, warnings, notes };
}

/**
 * The files of a client, or of its plugin if that is requested or already set up. Errors: `invalid_input` (no plugin, or the client's files are
 * already set up, so that every hook would run twice).
 */
async function wanted(
  client: Target,
  { scope, places, launcher, plugin = false }: SetupRequest,
): Promise<{ readonly files: readonly TargetFile[]; readonly notes: readonly string[] }> {
  const setting = { scope, places, launcher };
  const placed = [...(await readJournal(places.data)).values()].flatMap(({ parts }) => parts);
  const own = placed.filter((one) => one.target === client.name && one.scope === 'user');
  const hasPlugin = scope === 'user' && own.some(({ part }) => isOfPlugin(part));
  if (!plugin && !hasPlugin) return { files: await client.files(setting), notes: client.notes(setting) };
  const made = scope === 'user' ? client.plugin?.(setting) : undefined;
  if (made === undefined) {
    const where = scope === 'user' ? '' : ' in a project';
    throw new LoreError('invalid_input', `There is no plugin for ${client.title}${where}. Nothing was changed.`, {
      hint: 'Leave out --plugin.',
    });
  }
  if (hasPlugin || own.length === 0) return { files: made.files, notes: made.add };
  throw new LoreError('invalid_input', `${client.title} is already set up with files. Nothing was changed.`, {
    hint: `With both, every hook would run twice: run \`lore teardown --target ${client.name} --scope user\` first.`,
  });
}

interface Placing {
  readonly draft: Draft;
  readonly force: boolean;
  /** Receives a sentence for everything that is not changed. */
  readonly warnings: string[];
}

/** Adds the parts of a file to its draft and returns those that are now current. */
function place(file: TargetFile, { draft, force, warnings }: Placing): Part[] {
  return file.parts.filter((part) => {
    const editor = editorOf(part);
    const fault = editor.fault(draft.text);
    if (fault !== undefined) throw refusal(file, { fault, byHand: editor.byHand?.(draft.text) });
    const recorded = recordedOf(draft, part.id);
    const partState = partStateOf(editor, draft.text, recorded);
    // A preset that existed before setup is not ours to remove.
    if (partState === 'same') return part.kind !== 'preset' || recorded !== undefined;
    if (partState === 'edited' && !force) {
      warnings.push(`${file.path}: the ${part.id} was changed by hand and stays as it is; --force replaces it.`);
      return false;
    }
    if (partState === 'foreign' && !force) throw foreign(file);
    draft.made.push(...editor.makes(draft.text));
    draft.text = editor.put(draft.text);
    return true;
  });
}

/** The content of a part that setup wrote last, from the journal. */
function recordedOf({ record }: Draft, id: string): string | undefined {
  const placed = record?.parts.find(({ part }) => part.id === id);
  return placed && editorOf(placed.part).wanted;
}

function refusal(file: TargetFile, { fault, byHand }: { fault: string; byHand: string | undefined }): LoreError {
  const hint =
    byHand === undefined
      ? `Repair the file and run the command again, or add this by hand:\n${snippet(file)}`
      : `Add the member in these braces to the braces in the file by hand:\n${byHand}`;
  return new LoreError('invalid_input', `${file.path} cannot be edited: ${fault}. Nothing was changed.`, { hint });
}

function foreign(file: TargetFile): LoreError {
  return new LoreError('invalid_input', `${file.path} has an entry named lore that Lore did not write. Nothing was changed.`, {
    hint: `Rename it, or replace it with --force. Lore would write:\n${snippet(file)}`,
  });
}

/** The content of the file with only our parts. */
export function snippet(file: Pick<TargetFile, 'parts'>): string {
  return file.parts.reduce((text, part) => editorOf(part).put(text), '').trimEnd();
}

interface Work {
  readonly data: string;
  readonly drafts: readonly Draft[];
  readonly placed: ReadonlyMap<Draft, readonly InsertedPart[]>;
}

/** Writes the backups, then the journal, then the files: after a crash the journal has every file that was written. */
async function apply(journal: Journal, { data, drafts, placed }: Work): Promise<void> {
  const next = new Map(journal);
  const [fresh, stale]: [string[], (string | undefined)[]] = [[], []];
  try {
    for (const draft of drafts) {
      const record = await recordFor(draft, { data, parts: placed.get(draft) ?? [] });
      if (record === undefined) continue;
      const old = journal.get(draft.state.real)?.backup;
      if (record.backup !== undefined && record.backup !== old) fresh.push(record.backup);
      if (record.backup !== old) stale.push(old);
      next.set(draft.state.real, record);
    }
    if (JSON.stringify([...next]) !== JSON.stringify([...journal])) await writeJournal(data, next);
    await writeFiles(drafts.filter(isChanged).map((draft) => ({ state: draft.state, content: bytesOf(draft) })));
  } catch (error) {
    await writeJournal(data, journal).catch(() => {});
    await dropBackups(data, fresh);
    throw error;
  }
  await dropBackups(data, stale);
}

/** The new journal record of a file; undefined if it has none of our parts. */
async function recordFor(draft: Draft, { data, parts }: { data: string; parts: readonly InsertedPart[] }): Promise<EditedFile | undefined> {
  const { state, record, isUntouched } = draft;
  if (parts.length === 0 && record === undefined) return undefined;
  const all = merged(record?.parts ?? [], parts);
  if (!isChanged(draft)) return record === undefined ? adopted(draft, all) : { ...record, parts: all };
  const common = { path: state.real, after: digest(bytesOf(draft)), parts: all };
  if (record !== undefined && isUntouched) return { ...record, ...common, made: [...record.made, ...draft.made] };
  const { bytes } = state;
  const backup = bytes === undefined ? {} : { backup: await keepBackup(data, { ...state, bytes }) };
  if (record !== undefined) {
    return {
      ...common,
      ...backup,
      existed: record.existed,
      isExact: false,
      folders: record.folders,
      made: [...record.made, ...draft.made],
    };
  }
  const isExact = !parts.some(({ part }) => hasOurs(state.text, part));
  return { ...common, ...backup, existed: bytes !== undefined, isExact, folders: await missingFolders(state), made: draft.made };
}

function hasOurs(text: string, part: Part): boolean {
  const editor = editorOf(part);
  const found = editor.find(text);
  return found !== undefined && editor.isOurs(found);
}

/** The record of a file that already has our parts but is not in the journal. */
function adopted({ state }: Draft, parts: InsertedPart[]): EditedFile {
  const after = digest(state.bytes ?? '');
  return { path: state.real, existed: true, after, isExact: false, folders: [], made: [], parts };
}

function merged(old: readonly InsertedPart[], fresh: readonly InsertedPart[]): InsertedPart[] {
  const isReplaced = (one: InsertedPart): boolean =>
    fresh.some(({ target, scope, part }) => target === one.target && scope === one.scope && part.id === one.part.id);
  return [...old.filter((one) => !isReplaced(one)), ...fresh];
}
