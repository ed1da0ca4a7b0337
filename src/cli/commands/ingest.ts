import { Args, Flags } from '@oclif/core';
import { LoreError } from '../../memory/errors.ts';
import type { IngestReport } from '../../sources/ingest/report.ts';
import { IngestRequest } from '../../sources/ingest/request.ts';
import { FORMATS, SPLITS } from '../../sources/readers/reader.ts';
import { UsageError } from '../failure.ts';
import { number } from '../flags/flags.ts';
import { formatIngestReport } from '../print/ingest-summary.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount } from '../print/output.ts';
import { progressBar } from '../print/progress.ts';
import { checkedRequest } from '../flags/request.ts';

const EXIT_UNREADABLE = 2;
const EXIT_INVALID = 5;
const FAULTS_SHOWN = 50;

export default class Ingest extends MemoryCommand {
  static override summary = 'Ingest documents: Markdown, HTML, PDF, Word, CSV, JSON, chats, git history.';
  static override description =
    'Stores each passage as an entry, with its file and position. Lore detects the format by content and name. Ingesting a file again stores nothing twice; in a changed file, unchanged passages keep their entries and the others are replaced. ' +
    'A file that cannot be read is reported and the others are still ingested; the command then exits with 5, or with 2 if files are missing or access is denied. For a project with code use `lore index`, for exports `lore import`.';
  static override examples = [
    '<%= config.bin %> ingest handbook.pdf meeting-notes.docx --tag handbook',
    '<%= config.bin %> ingest ~/notes --exclude drafts/ --dry-run',
    'curl -s https://example.com | <%= config.bin %> ingest - --name example.com',
    '<%= config.bin %> ingest --git --since "3 months ago"',
  ];
  static override args = {
    file: Args.string({ multiple: true, ignoreStdin: true, description: 'Files or folders to read, or - for standard input.' }),
  };
  static override flags = {
    format: Flags.option({ options: ['auto', ...FORMATS] as const, default: 'auto' as const, description: 'Format of the files.' })(),
    split: Flags.option({
      options: SPLITS,
      default: 'passages' as const,
      description: 'Make one entry per passage, per section (headings), or per file (none).',
    })(),
    tag: Flags.string({
      char: 't',
      multiple: true,
      multipleNonGreedy: true,
      description: 'A tag for every entry; repeatable.',
    }),
    namespace: Flags.string({ char: 'n', description: 'Namespace of the entries. Default: the namespace of the working directory.' }),
    keep: Flags.boolean({ description: 'Keep the entries of the old version of a changed file.' }),
    recursive: Flags.boolean({ allowNo: true, default: true, description: 'Also read subfolders.' }),
    include: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'PATTERN',
      description: 'In a folder, read only these files, of any format; patterns as in .gitignore.',
    }),
    exclude: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'PATTERN',
      description: 'In a folder, skip these files and folders.',
    }),
    name: Flags.string({ description: 'Name for standard input: a new version with the same name replaces the last one.' }),
    git: Flags.boolean({
      description: 'Ingest the commits of the repository of each folder. Default: the working directory.',
    }),
    since: Flags.string({ helpValue: 'DATE', description: 'Only commits after this date.', dependsOn: ['git'] }),
    limit: number({ description: 'Maximum number of commits, newest first; 10000 by default.', dependsOn: ['git'] }),
    'dry-run': Flags.boolean({ description: 'Only read, and show what would be stored.' }),
  };

  async run(): Promise<IngestReport> {
    const { args, flags } = await this.parse(Ingest);
    const { format, split, keep, namespace, tag: tags, name, since, limit } = flags;
    const request = checkedRequest(IngestRequest, { namespace, tags, name, since, limit });
    const named = args.file ?? (flags.git ? ['.'] : []);
    if (named.length === 0) throw new UsageError('file is required.', 'Name files or folders, or - for standard input; or --git.');
    if (named.filter((each) => each === '-').length > 1)
      throw new UsageError('`-` may be given only once: standard input can be read only once.');
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, namespace);
    const { index, memory } = store.loaded.config;
    const { size, overlap } = { size: index.chunkSize, overlap: memory.chunkOverlap };
    const place = { namespace: here.namespace, tags: tags ?? [], format: format === 'auto' ? undefined : format };
    const { ingestAll } = await import('../../sources/ingest/run.ts');
    const progress = progressBar('Reading', undefined);
    const report = await ingestAll({
      sources: store.memories.sources,
      options: { ...place, split, size, overlap, keep, dryRun: flags['dry-run'] },
      request,
      named,
      git: flags.git,
      folders: { isRecursive: flags.recursive, include: flags.include ?? [], exclude: flags.exclude ?? [] },
      standardInput: process.stdin as AsyncIterable<Uint8Array>,
      onDocument: () => progress.add(1),
    }).finally(() => progress.stop());
    this.conclude(report, named);
    return report;
  }

  /** Prints the result for each file. Throws if only one file was named and it failed. */
  private conclude(report: IngestReport, named: readonly string[]): void {
    const failed = report.report.filter(({ status }) => status === 'failed');
    const [only] = failed;
    if (only !== undefined && report.report.length === 1 && named.length === 1) {
      throw new LoreError(
        only.code ?? 'invalid_input',
        only.error ?? 'It cannot be read.',
        only.hint === undefined ? {} : { hint: only.hint },
      );
    }
    this.log(formatIngestReport(report));
    const faults = report.report.filter(({ error }) => error !== undefined);
    for (const { status, error = '', hint } of faults.slice(0, FAULTS_SHOWN)) {
      this.note(`${status === 'failed' ? 'error:' : 'skipped:'} ${error}${hint === undefined ? '' : ` ${hint}`}`);
    }
    if (faults.length > FAULTS_SHOWN) this.note(`… and ${amount(faults.length - FAULTS_SHOWN, 'file', 'files')} more.`);
    for (const { file, secrets } of report.report) {
      if (secrets !== undefined)
        this.note(
          `warning: ${file} seems to contain secrets (${secrets.join(', ')}). They are redacted unless memory.redactSecrets is never.`,
        );
    }
    if (failed.length > 0) process.exitCode = failed.every(({ code }) => code === 'filesystem') ? EXIT_UNREADABLE : EXIT_INVALID;
  }
}
