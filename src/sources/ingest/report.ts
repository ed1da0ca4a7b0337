import type { ErrorCode, LoreError } from '../../memory/errors.ts';
import type { ReplacedSource, SourcePassage } from '../../memory/operations/source-operations.ts';
import type { LeftOut } from '../readers/findings.ts';
import type { FormatName } from '../readers/reader.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** `skipped`: holds nothing that is taken in, and was only found in a folder; `failed`: the user has to look at it. */
export type FileStatus = 'stored' | 'unchanged' | 'skipped' | 'failed';

/** What became of one file; its counts are entries. */
export interface IngestedFile {
  /** As the user would write it. */
  readonly file: string;
  readonly status: FileStatus;
  readonly format?: FormatName;
  /** Entries that it has now, or would have. */
  readonly entries: number;
  readonly stored: number;
  /** Of those that were there, the ones that it still has. */
  readonly kept: number;
  readonly removed: number;
  /** How much of what it holds, by the plural of its kind. */
  readonly found: Readonly<Record<string, number>>;
  readonly leftOut: readonly LeftOut[];
  /** What the user should know of it, as clauses after its name. */
  readonly notes: readonly string[];
  /** Kinds of secrets that its text looks as if it holds; absent where there are none. */
  readonly secrets?: readonly string[];
  /** Why it was skipped or failed, and what to do about it. */
  readonly error?: string;
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** What became of a run. */
export interface IngestReport {
  readonly dryRun: boolean;
  readonly namespace: string;
  /** How many files there are of each status. */
  readonly files: Readonly<Record<FileStatus, number>>;
  readonly stored: number;
  readonly kept: number;
  readonly removed: number;
  /** In the order in which they were read. */
  readonly report: readonly IngestedFile[];
  /** Of folders, what is not taken in. */
  readonly leftOut: readonly LeftOut[];
  /** Dry runs only: the first three entries as they would be stored. */
  readonly preview?: readonly SourcePassage[];
}

const MAX_LEFT_OUT = 20;

/** The report of one file while it is under way. */
export class FileProgress {
  /** As the user would write it. */
  readonly name: string;
  #facts: Partial<Pick<IngestedFile, 'format' | 'error' | 'code' | 'hint'>> = {};
  #about: Pick<IngestedFile, 'found' | 'leftOut' | 'notes'> = { found: {}, leftOut: [], notes: [] };
  readonly #secrets = new Set<string>();
  #status: FileStatus = 'unchanged';
  #counts = { stored: 0, kept: 0, removed: 0 };
  /** Entries that it has, or would have. */
  entries = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Notes what the reader made of the file. */
  readAs({ format, found, leftOut, notes }: Pick<IngestedFile, 'found' | 'leftOut' | 'notes'> & { readonly format: FormatName }): void {
    this.#facts = { format };
    this.#about = { found, leftOut: leftOut.slice(0, MAX_LEFT_OUT), notes };
  }

  /** Something of it is stored. A fault of another part of it stays what counts. */
  markStored({ stored, kept, removed, secrets = [] }: Omit<ReplacedSource, 'path'>): void {
    if (this.#status === 'unchanged') this.#status = 'stored';
    const before = this.#counts;
    this.#counts = { stored: before.stored + stored, kept: before.kept + kept, removed: before.removed + removed };
    for (const secret of secrets) this.#secrets.add(secret);
  }

  /** It could not be taken in, or a part of it could not. */
  markRefused(status: 'skipped' | 'failed', { message, code, hint }: LoreError): void {
    this.#status = status;
    this.#facts = { ...this.#facts, error: message, code, ...withoutUndefined({ hint }) };
  }

  get summary(): IngestedFile {
    const secrets = this.#secrets.size === 0 ? {} : { secrets: [...this.#secrets] };
    return { file: this.name, status: this.#status, ...this.#facts, entries: this.entries, ...this.#counts, ...this.#about, ...secrets };
  }
}

/** The files of a run, and what they come to. */
export function reportOf(files: readonly FileProgress[]): Pick<IngestReport, 'files' | 'stored' | 'kept' | 'removed' | 'report'> {
  const report = files.map(({ summary }) => summary);
  const sum = (count: 'stored' | 'kept' | 'removed') => report.reduce((total, file) => total + file[count], 0);
  const counts = { stored: 0, unchanged: 0, skipped: 0, failed: 0 } satisfies Record<FileStatus, number>;
  for (const { status } of report) counts[status] += 1;
  return { files: counts, stored: sum('stored'), kept: sum('kept'), removed: sum('removed'), report };
}
