import type { CallOptions } from '../../memory/operations/operations.ts';
import { MAX_PASSAGES, type SourceFile, type SourcePassage } from '../../memory/operations/source-operations.ts';
import { planProject, type PlannedFile, type PlanOptions, type ProjectPlan } from './plan.ts';
import { splitFile } from '../splitting/splitting.ts';
import { SKIP_REASONS, type Skipped, type SkipReason } from '../walk/walk.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

export interface IndexOptions extends PlanOptions {
  /** Only report what would change. */
  readonly dryRun: boolean;
  /** Called with the number of files to store or remove, before the first one. */
  readonly onPlanned?: ((files: number) => void) | undefined;
  /** Called with the number of files done. */
  readonly onDone?: ((files: number) => void) | undefined;
}

/** Skipped files by reason. */
export interface SkipCount {
  readonly reason: SkipReason;
  /** The reason in words. */
  readonly why: string;
  readonly count: number;
  /** Paths of the first ones. */
  readonly examples: readonly string[];
}

export interface IndexReport {
  readonly namespace: string;
  readonly root: string;
  /** Path relative to the root; empty for the whole project. */
  readonly scope: string;
  readonly dryRun: boolean;
  readonly files: {
    readonly new: number;
    readonly changed: number;
    readonly renamed: number;
    readonly removed: number;
    readonly unchanged: number;
  };
  /** In a dry run, `stored` counts the passages of all files to store, some of which may be kept. */
  readonly entries: { readonly stored: number; readonly kept: number; readonly removed: number };
  readonly skipped: readonly SkipCount[];
  /** Files that seem to contain a secret. */
  readonly secrets: readonly { readonly path: string; readonly kinds: readonly string[] }[];
  readonly ms: number;
}

/** Limits of one request: small enough to show progress and to stay far below the body limit. */
const BATCH = { files: 100, passages: 500, chars: 512 * 1024 };
const REMOVED_AT_ONCE = 1000;
const EXAMPLES = 5;

/**
 * Synchronizes the stored passages of a project with its files: stores new and changed files, each as a whole, keeps the entries of renamed
 * files, removes deleted ones. Safe to repeat and to continue after an interruption.
 */
export async function indexProject(options: IndexOptions): Promise<IndexReport> {
  const started = performance.now();
  const scanning = options.dryRun ? { ...options, maxFiles: Number.POSITIVE_INFINITY } : { ...options, cache: options.cache ?? new Map() };
  let scan = await scanProject(scanning);
  let { report } = scan;
  // Stop if the number of remaining files does not decrease, because others undo the changes; the next run continues.
  for (let left = Number.POSITIVE_INFINITY; scan.left > 0 && scan.left < left;) {
    left = scan.left;
    scan = await scanProject({ ...scanning, onPlanned: undefined });
    report = joined(report, scan.report);
  }
  return { ...report, ms: Math.round(performance.now() - started) };
}

interface Scan {
  readonly report: Omit<IndexReport, 'ms'>;
  /** Number of files left for the next scan. */
  readonly left: number;
}

/** Indexes as many files as one scan allows: their texts are in memory together. */
async function scanProject(options: IndexOptions): Promise<Scan> {
  const plan = await planProject(options);
  const { project, dryRun, splitting } = options;
  options.onPlanned?.(plan.files.length + plan.removed.length + plan.left);
  const stored = dryRun ? preview(plan, splitting) : await store(plan, options);
  const of = (change: PlannedFile['change']): number => plan.files.filter((file) => file.change === change).length;
  const report = {
    namespace: project.namespace,
    root: project.root,
    scope: project.scope,
    dryRun,
    files: {
      new: of('new'),
      changed: of('changed'),
      renamed: of('renamed'),
      removed: plan.removed.length,
      unchanged: plan.unchanged.length,
    },
    ...stored,
    skipped: skipCounts(plan.skipped),
  };
  return { report, left: plan.left };
}

/** Combines the reports of two scans of one run: the second counts files of the first as unchanged. */
function joined(first: Scan['report'], second: Scan['report']): Scan['report'] {
  const { files: a, entries: before } = first;
  const { files: b, entries: after } = second;
  return {
    ...second,
    files: {
      new: a.new + b.new,
      changed: a.changed + b.changed,
      renamed: a.renamed + b.renamed,
      removed: a.removed + b.removed,
      unchanged: b.unchanged - a.new - a.changed - a.renamed,
    },
    entries: { stored: before.stored + after.stored, kept: before.kept + after.kept, removed: before.removed + after.removed },
    secrets: [...first.secrets, ...second.secrets],
  };
}

type Stored = Pick<IndexReport, 'entries' | 'secrets'>;

function preview({ files, removed }: ProjectPlan, splitting: IndexOptions['splitting']): Stored {
  const stored = files.reduce((sum, file) => sum + passagesOf(file, splitting).length, 0);
  return { entries: { stored, kept: 0, removed: removed.reduce((sum, { entries }) => sum + entries, 0) }, secrets: [] };
}

async function store(plan: ProjectPlan, { project, sources, splitting, signal, onDone }: IndexOptions): Promise<Stored> {
  const { namespace, root } = project;
  const call: CallOptions = { source: 'cli', signal };
  const entries = { stored: 0, kept: 0, removed: 0 };
  const secrets: { path: string; kinds: readonly string[] }[] = [];
  for (const files of batches(plan.files, splitting)) {
    signal?.throwIfAborted();
    for (const file of await sources.replace({ namespace, kind: 'index', root, files }, call)) {
      entries.stored += file.stored;
      entries.kept += file.kept;
      entries.removed += file.removed;
      if (file.secrets !== undefined) secrets.push({ path: file.path, kinds: file.secrets });
    }
    onDone?.(files.length);
  }
  for (let start = 0; start < plan.removed.length; start += REMOVED_AT_ONCE) {
    signal?.throwIfAborted();
    const paths = plan.removed.slice(start, start + REMOVED_AT_ONCE).map(({ path }) => path);
    for (const { removed } of await sources.remove({ namespace, kind: 'index', root, paths }, call)) entries.removed += removed;
    onDone?.(paths.length);
  }
  return { entries, secrets };
}

/** Groups files with their passages into requests. */
function* batches(files: readonly PlannedFile[], splitting: IndexOptions['splitting']): Generator<SourceFile[]> {
  let batch: SourceFile[] = [];
  let [passages, chars] = [0, 0];
  for (const { path, text, hash, from } of files) {
    const file: SourceFile = { path, hash, ...withoutUndefined({ from }), passages: passagesOf({ path, text }, splitting) };
    const isFull = batch.length >= BATCH.files || passages + file.passages.length > BATCH.passages || chars + text.length > BATCH.chars;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, passages, chars] = [[], 0, 0];
    }
    batch.push(file);
    passages += file.passages.length;
    chars += text.length;
  }
  if (batch.length > 0) yield batch;
}

/** Doubles the passage size until the file has at most the allowed number of passages. */
function passagesOf({ path, text }: Pick<PlannedFile, 'path' | 'text'>, { size, overlap }: IndexOptions['splitting']): SourcePassage[] {
  const passages = splitFile(path, text, { size, overlap });
  return passages.length <= MAX_PASSAGES ? passages : passagesOf({ path, text }, { size: 2 * size, overlap });
}

function skipCounts(skipped: readonly Skipped[]): SkipCount[] {
  return (Object.keys(SKIP_REASONS) as SkipReason[]).flatMap((reason) => {
    const paths = skipped.flatMap((each) => (each.reason === reason ? [each.path] : []));
    return paths.length === 0 ? [] : [{ reason, why: SKIP_REASONS[reason], count: paths.length, examples: paths.slice(0, EXAMPLES) }];
  });
}
