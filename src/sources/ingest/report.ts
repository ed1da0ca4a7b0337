import type { ErrorCode, LoreError } from '../../memory/errors.ts';
import type { ReplacedSource, SourcePassage } from '../../memory/operations/source-operations.ts';
import type { LeftOut } from '../readers/findings.ts';
import type { FormatName } from '../readers/reader.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** `skipped`: contains nothing to ingest and was only found in a folder; `failed`: needs the user's attention. */
type FileStatus = 'stored' | 'unchanged' | 'skipped' | 'failed';

/** Result for one file; counts are entries. */
export interface IngestedFile {
  /** Name as the user would write it. */
  readonly file: string;
  readonly status: FileStatus;
  readonly format?: FormatName;
  /** Number of its entries after the run, or as expected in a dry run. */
  readonly entries: number;
  readonly stored: number;
  /** Existing entries that it still has. */
  readonly kept: number;
  readonly removed: number;
  /** Contents of the file by kind (plural). */
  readonly found: Readonly<Record<string, number>>;
  readonly leftOut: readonly LeftOut[];
  /** Notes for the user, as clauses after the file name. */
  readonly notes: readonly string[];
  /** Kinds of secrets that its text seems to contain; absent if there are none. */
  readonly secrets?: readonly string[];
  /** Why it was skipped or failed. */
  readonly error?: string;
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** Result of a run. */
export interface IngestReport {
  readonly dryRun: boolean;
  readonly namespace: string;
  /** Number of files by status. */
  readonly files: Readonly<Record<FileStatus, number>>;
  readonly stored: number;
  readonly kept: number;
  readonly removed: number;
  /** Files in reading order. */
  readonly report: readonly IngestedFile[];
  /** Files skipped in folders. */
  readonly leftOut: readonly LeftOut[];
  /** Dry runs only: the first three entries as they would be stored. */
  readonly preview?: readonly SourcePassage[];
}

const MAX_LEFT_OUT = 20;

/** Collects the report of one file. */
export class FileProgress {
  /** Name as the user would write it. */
  readonly name: string;
  #facts: Partial<Pick<IngestedFile, 'format' | 'error' | 'code' | 'hint'>> = {};
  #about: Pick<IngestedFile, 'found' | 'leftOut' | 'notes'> = { found: {}, leftOut: [], notes: [] };
  readonly #secrets = new Set<string>();
  #status: FileStatus = 'unchanged';
  #counts = { stored: 0, kept: 0, removed: 0 };
  /** Number of its entries after the run, or as expected in a dry run. */
  entries = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Records the result of the reader. */
  readAs({ format, found, leftOut, notes }: Pick<IngestedFile, 'found' | 'leftOut' | 'notes'> & { readonly format: FormatName }): void {
    this.#facts = { format };
    this.#about = { found, leftOut: leftOut.slice(0, MAX_LEFT_OUT), notes };
  }

  /** Records stored passages. Does not reset an earlier failure. */
  markStored({ stored, kept, removed, secrets = [] }: Omit<ReplacedSource, 'path'>): void {
    if (this.#status === 'unchanged') this.#status = 'stored';
    const before = this.#counts;
    this.#counts = { stored: before.stored + stored, kept: before.kept + kept, removed: before.removed + removed };
    for (const secret of secrets) this.#secrets.add(secret);
  }

  /** Records that the file or a part of it could not be ingested. */
  markRefused(status: 'skipped' | 'failed', { message, code, hint }: LoreError): void {
    this.#status = status;
    this.#facts = { ...this.#facts, error: message, code, ...withoutUndefined({ hint }) };
  }

  get summary(): IngestedFile {
    const secrets = this.#secrets.size === 0 ? {} : { secrets: [...this.#secrets] };
    return { file: this.name, status: this.#status, ...this.#facts, entries: this.entries, ...this.#counts, ...this.#about, ...secrets };
  }
}

/** The reports of all files and their totals. */
export function reportOf(files: readonly FileProgress[]): Pick<IngestReport, 'files' | 'stored' | 'kept' | 'removed' | 'report'> {
  const report = files.map(({ summary }) => summary);
  const sum = (count: 'stored' | 'kept' | 'removed') => report.reduce((total, file) => total + file[count], 0);
  const counts = { stored: 0, unchanged: 0, skipped: 0, failed: 0 } satisfies Record<FileStatus, number>;
  for (const { status } of report) counts[status] += 1;
  return { files: counts, stored: sum('stored'), kept: sum('kept'), removed: sum('removed'), report };
}
