import type { SourceOperations, StoredSource } from '../../memory/operations/source-operations.ts';
import { cachedHash, readFiles, rememberHash, type HashCache, type ReadFile, type ReadOptions } from './files.ts';
import { walk, type FoundFile, type Skipped, type SkipReason } from '../walk/walk.ts';

/** Which files of which project. */
export interface Project {
  /** Real path of the folder that paths count from. */
  readonly folder: string;
  /** What is stored as the root: the same in every clone of a repository. */
  readonly root: string;
  /** A file or folder below it, with `/`; empty for all. */
  readonly scope: string;
  readonly namespace: string;
}

export interface PlanOptions extends Omit<ReadOptions, 'root'> {
  readonly project: Project;
  readonly sources: SourceOperations;
  /** Most files that are read in by one scan; the rest waits for the next. */
  readonly maxFiles: number;
  readonly cache?: HashCache | undefined;
}

/** A file that is to be stored. */
export interface PlannedFile extends ReadFile {
  readonly change: 'new' | 'changed' | 'renamed';
  /** Where a renamed file was. */
  readonly from?: string;
}

export interface ProjectPlan {
  readonly files: readonly PlannedFile[];
  readonly removed: readonly StoredSource[];
  /** What is stored of files that have changed or moved, or wait to be read in again. */
  readonly replaced: readonly StoredSource[];
  /** Files that are stored as they are. */
  readonly unchanged: readonly StoredSource[];
  /** New and changed files that wait for the next run. */
  readonly left: number;
  readonly skipped: readonly Skipped[];
}

const PAGE = 10_000;

/** What has to be done so that what is stored of a project is what is in its files. Changes nothing. */
export async function planProject(options: PlanOptions): Promise<ProjectPlan> {
  const { project, sources, signal } = options;
  const [walked, stored] = await Promise.all([
    walk({ root: project.folder, scope: project.scope, maxFileBytes: options.maxFileBytes, signal }),
    storedFiles(sources, project, signal),
  ]);
  const skipped = [...walked.skipped];
  const state = await compare(walked.files, stored, options, skipped);
  const gone = goneOf(stored, walked.files, skipped);
  const files = withRenames(state.files, gone);
  const moved = new Set(files.flatMap(({ from }) => from ?? []));
  const removed = gone.filter(({ path }) => !moved.has(path));
  const others = new Set([...removed, ...state.unchanged]);
  const replaced = [...stored.values()].filter((source) => !others.has(source));
  return { ...state, files, removed, replaced, skipped };
}

/** Everything that is stored of a project within its scope, by path. */
async function storedFiles(
  sources: SourceOperations,
  { namespace, root, scope }: Project,
  signal?: AbortSignal,
): Promise<Map<string, StoredSource>> {
  const files = new Map<string, StoredSource>();
  for (let offset = 0; ; offset += PAGE) {
    const page = await sources.list({ namespace, kind: 'index', root, limit: PAGE, offset }, { signal });
    for (const source of page.sources) if (isWithin(source.path, scope)) files.set(source.path, source);
    if (offset + PAGE >= page.total) return files;
  }
}

function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`);
}

/** What is stored of files that are not there any more, or not for the index; what cannot be read now may be there. */
function goneOf(stored: ReadonlyMap<string, StoredSource>, found: readonly FoundFile[], skipped: readonly Skipped[]): StoredSource[] {
  const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
  const present = new Set(found.flatMap(({ path }) => (reasons.has(path) ? [] : [path])));
  return [...stored.values()].filter(({ path }) => !present.has(path) && !isUnreadable(path, reasons));
}

/** Whether it, or a folder that it lies in, cannot be read. */
function isUnreadable(path: string, reasons: ReadonlyMap<string, SkipReason>): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) if (reasons.get(path.slice(0, at)) === 'unreadable') return true;
  return reasons.get('') === 'unreadable';
}

type Compared = Pick<ProjectPlan, 'files' | 'unchanged' | 'left'>;

async function compare(
  found: readonly FoundFile[],
  stored: ReadonlyMap<string, StoredSource>,
  options: PlanOptions,
  skipped: Skipped[],
): Promise<Compared> {
  const { project, maxFiles, cache = new Map() as HashCache } = options;
  const unchanged: StoredSource[] = [];
  const changed: PlannedFile[] = [];
  let left = 0;
  const isUnchanged = (path: string, hash: string | undefined): boolean => hash !== undefined && stored.get(path)?.hash === hash;
  const unread = found.filter((file) => {
    const known = isUnchanged(file.path, cachedHash(cache, file)) ? stored.get(file.path) : undefined;
    if (known !== undefined) unchanged.push(known);
    return known === undefined;
  });
  // Those that are stored first: what has changed is worth more than what is new.
  const inOrder = [...unread.filter(({ path }) => stored.has(path)), ...unread.filter(({ path }) => !stored.has(path))];
  for await (const { found: file, ...read } of readFiles(inOrder, { ...options, root: project.folder }, skipped)) {
    rememberHash(cache, file, read.hash);
    const known = stored.get(read.path);
    if (known !== undefined && isUnchanged(read.path, read.hash)) unchanged.push(known);
    else if (changed.length < maxFiles) changed.push({ ...read, change: known === undefined ? 'new' : 'changed' });
    else left += 1;
  }
  return { files: changed, unchanged, left };
}

/** A new file with the content of one that is gone is that file, elsewhere. */
function withRenames(files: readonly PlannedFile[], gone: readonly StoredSource[]): PlannedFile[] {
  const byHash = new Map<string, string[]>();
  for (const { hash, path } of gone) if (hash !== undefined) byHash.set(hash, [...(byHash.get(hash) ?? []), path]);
  return files.map((file) => {
    const from = file.change === 'new' ? byHash.get(file.hash)?.shift() : undefined;
    return from === undefined ? file : { ...file, change: 'renamed', from };
  });
}
