import type { CallOptions } from '../../memory/operations/operations.ts';
import { MAX_PASSAGES, type SourceFile, type SourcePassage } from '../../memory/operations/source-operations.ts';
import { planProject, type PlannedFile, type PlanOptions, type ProjectPlan } from './plan.ts';
import { splitFile } from '../splitting/splitting.ts';
import { SKIP_REASONS, type Skipped, type SkipReason } from '../walk/walk.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

export interface IndexOptions extends PlanOptions {
  /** Only report what would be done. */
  readonly dryRun: boolean;
  /** Told how many files are to be stored or removed, before the first is. */
  readonly onPlanned?: ((files: number) => void) | undefined;
  /** Told of files that are done. */
  readonly onDone?: ((files: number) => void) | undefined;
}

/** Files that were left out for one reason. */
export interface SkipCount {
  readonly reason: SkipReason;
  /** In words for people. */
  readonly why: string;
  readonly count: number;
  /** The first of them. */
  readonly examples: readonly string[];
}

export interface IndexReport {
  readonly namespace: string;
  readonly root: string;
  /** Below the root; empty for all of it. */
  readonly scope: string;
  readonly dryRun: boolean;
  readonly files: {
    readonly new: number;
    readonly changed: number;
    readonly renamed: number;
    readonly removed: number;
    readonly unchanged: number;
  };
  /** `stored` of a dry run: passages of the files that would be stored, some of which may be kept. */
  readonly entries: { readonly stored: number; readonly kept: number; readonly removed: number };
  readonly skipped: readonly SkipCount[];
  /** Files whose text looks as if it holds a secret. */
  readonly secrets: readonly { readonly path: string; readonly kinds: readonly string[] }[];
  readonly ms: number;
}

/** What goes in one request: small enough to show progress and to stay far below the limit of a body. */
const BATCH = { files: 100, passages: 500, chars: 512 * 1024 };
const REMOVED_AT_ONCE = 1000;
const EXAMPLES = 5;

/**
 * Brings what is stored of a project in step with its files: new and changed ones are stored, each as a whole, renamed ones keep their entries,
 * those that are gone are removed. Safe to repeat, and to begin again where it was interrupted.
 */
export async function indexProject(options: IndexOptions): Promise<IndexReport> {
  const started = performance.now();
  const scanning = options.dryRun ? { ...options, maxFiles: Number.POSITIVE_INFINITY } : { ...options, cache: options.cache ?? new Map() };
  let scan = await scanProject(scanning);
  let { report } = scan;
  // Where others undo what is done, the number of files that are left does not fall: the next run goes on.
  for (let left = Number.POSITIVE_INFINITY; scan.left > 0 && scan.left < left;) {
    left = scan.left;
    scan = await scanProject({ ...scanning, onPlanned: undefined });
    report = joined(report, scan.report);
  }
  return { ...report, ms: Math.round(performance.now() - started) };
}

interface Scan {
  readonly report: Omit<IndexReport, 'ms'>;
  /** Files for the next scan. */
  readonly left: number;
}

/** Reads in as many files as one scan takes: their texts are in memory together. */
async function scanProject(options: IndexOptions): Promise<Scan> {
  const plan = await planProject(options);
  const { project, dryRun, splitting } = options;
  options.onPlanned?.(plan.files.length + plan.removed.length + plan.left);
  const stored = dryRun ? foreseen(plan, splitting) : await store(plan, options);
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

/** What two scans of one run did: the second finds unchanged what the first has read in. */
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

function foreseen({ files, removed }: ProjectPlan, splitting: IndexOptions['splitting']): Stored {
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

/** Files with their passages, as many at a time as one request takes. */
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

/** A file of more passages than one may have gets longer ones. */
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
