import type { SourceOperations, StoredSource } from '../../memory/operations/source-operations.ts';
import { cachedHash, readFiles, rememberHash, type HashCache, type ReadFile, type ReadOptions } from './files.ts';
import { walk, type FoundFile, type Skipped, type SkipReason } from '../walk/walk.ts';

/** A project and the part of it to index. */
export interface Project {
  /** Real path of the project folder. */
  readonly folder: string;
  /** Stored root: equal in every clone of a repository. */
  readonly root: string;
  /** A file or folder relative to it, with `/`; empty for all. */
  readonly scope: string;
  readonly namespace: string;
}

export interface PlanOptions extends Omit<ReadOptions, 'root'> {
  readonly project: Project;
  readonly sources: SourceOperations;
  /** Maximum number of files stored by one scan. */
  readonly maxFiles: number;
  readonly cache?: HashCache | undefined;
}

/** A file to store. */
export interface PlannedFile extends ReadFile {
  readonly change: 'new' | 'changed' | 'renamed';
  /** Previous path of a renamed file. */
  readonly from?: string;
}

export interface ProjectPlan {
  readonly files: readonly PlannedFile[];
  readonly removed: readonly StoredSource[];
  /** Stored files that changed, moved, or have to be read again. */
  readonly replaced: readonly StoredSource[];
  /** Stored files without changes. */
  readonly unchanged: readonly StoredSource[];
  /** Number of new and changed files left for the next run. */
  readonly left: number;
  readonly skipped: readonly Skipped[];
}

const PAGE = 10_000;

/** Compares a project with what is stored of it. Changes nothing. */
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

/** All stored files of a project within its scope, by path. */
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

/** Stored files that no longer exist or are no longer indexed; unreadable ones may still exist. */
function goneOf(stored: ReadonlyMap<string, StoredSource>, found: readonly FoundFile[], skipped: readonly Skipped[]): StoredSource[] {
  const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
  const present = new Set(found.flatMap(({ path }) => (reasons.has(path) ? [] : [path])));
  return [...stored.values()].filter(({ path }) => !present.has(path) && !isUnreadable(path, reasons));
}

/** Whether a path or one of its folders is unreadable. */
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
  // Stored files first: changes are more important than new files.
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

/** Detects renames: a new file with the hash of a removed one. */
function withRenames(files: readonly PlannedFile[], gone: readonly StoredSource[]): PlannedFile[] {
  const byHash = new Map<string, string[]>();
  for (const { hash, path } of gone) if (hash !== undefined) byHash.set(hash, [...(byHash.get(hash) ?? []), path]);
  return files.map((file) => {
    const from = file.change === 'new' ? byHash.get(file.hash)?.shift() : undefined;
    return from === undefined ? file : { ...file, change: 'renamed', from };
  });
}
