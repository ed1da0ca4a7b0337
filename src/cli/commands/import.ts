import { Args, Flags } from '@oclif/core';
import { LoreError } from '../../memory/errors.ts';
import { importFault, ImportRequest } from '../../memory/operations/operations.ts';
import { Findings } from '../../sources/readers/findings.ts';
import type { Reading } from '../import-formats/format.ts';
import { chooseFormat, FORMAT_CHOICES } from '../import-formats/formats.ts';
import { formatSummary, summaryOf, type ImportSummary } from '../import-formats/import-summary.ts';
import { openInput } from '../import-formats/input.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount } from '../print/output.ts';
import { progressBar, type Progress } from '../print/progress.ts';
import { checkedRequest } from '../flags/request.ts';

const BAD_LINES_SHOWN = 20;
const EXIT_INVALID = 5;

export default class Import extends MemoryCommand {
  static override summary = 'Import an export, CSV, Markdown, or the memories of another tool.';
  static override description =
    'Reads these formats, also compressed with gzip: JSON Lines such as an export, a folder of `export --markdown` with your edits, a JSON store file, CSV, Markdown files and folders; the auto memory of Claude Code, CLAUDE.md and AGENTS.md, rules of Cursor; the memory file of the reference MCP server, notes of Basic Memory, and exports of mem0 and OpenMemory, Zep and Graphiti, mcp-memory-service and claude-mem. ' +
    'Lore detects the format by the content; --format sets it. Existing entries are not stored twice. A bad line is reported and does not stop the import, unless --strict is given. Exits with 5 if --strict found a bad line, or if no line could be read.';
  static override examples = [
    '<%= config.bin %> import backup.jsonl',
    '<%= config.bin %> import everything.jsonl.gz',
    '<%= config.bin %> import notes.csv --dry-run --namespace owner/repo',
    '<%= config.bin %> import ~/vault --split headings',
    '<%= config.bin %> import ~/.claude/projects --dry-run',
    '<%= config.bin %> import . --format instructions',
  ];
  static override args = {
    file: Args.string({ required: true, ignoreStdin: true, description: 'File or folder to read, or - for standard input.' }),
  };
  static override flags = {
    format: Flags.option({ options: FORMAT_CHOICES, default: 'auto' as const, description: 'Format of the file.' })(),
    split: Flags.option({ options: ['headings'] as const, description: 'Make one entry per section of a Markdown file (h1 and h2).' })(),
    strict: Flags.boolean({ description: 'Store nothing if any line is bad.' }),
    'forget-missing': Flags.boolean({
      description: 'Forget the entries whose files were removed from a folder of `export --markdown`; `archive restore` restores them.',
    }),
    'dry-run': Flags.boolean({ description: 'Only check, and show what would be stored.' }),
    namespace: Flags.string({
      char: 'n',
      description:
        'Namespace of entries without one. Default: the namespace of the working directory. If given, it also replaces the project names in files of other tools.',
    }),
  };

  async run(): Promise<ImportSummary> {
    const { args, flags } = await this.parse(Import);
    const { strict, namespace, split } = flags;
    const request = checkedRequest(ImportRequest, { strict: strict || undefined, dryRun: flags['dry-run'] || undefined, namespace });
    await using input = await openInput(args.file);
    const choice = chooseFormat(input, flags.format);
    if (split !== undefined && choice.format.name !== 'markdown') {
      throw new LoreError('invalid_input', `--split is for Markdown, and ${input.name} is read as ${choice.format.name}.`);
    }
    const findings = new Findings();
    await using store = await this.openMemories(flags);
    const forgetMissing = flags['forget-missing'];
    if (forgetMissing && choice.format.name !== 'lore-markdown') {
      throw new LoreError(
        'invalid_input',
        `--forget-missing is for a folder of \`lore export --markdown\`, and ${input.name} is read as ${choice.format.name}.`,
      );
    }
    const reading = choice.format.read(input, { namespace, split, findings, memories: store.memories, forgetMissing });
    const here = await this.namespaceFor(store.loaded, namespace);
    const progress = progressBar('Importing', reading.total);
    const lines = new CountedLines(reading, progress);
    const report = await store.memories
      .import(lines.chunks(), { ...request, namespace: here.namespace }, { source: 'cli', onLine: (line) => reading.settle(line) })
      // With a server, an error of the file appears only as an aborted upload.
      .catch((error: unknown) => Promise.reject((lines.fault ?? error) as Error))
      .finally(() => progress.stop());
    const isRefused = strict && report.invalid > 0;
    const folder = isRefused ? undefined : await reading.finish?.({ dryRun: flags['dry-run'] });
    const summary = summaryOf(report, { choice, reading, findings, folder });
    this.print(summary, { strict, unit: choice.format.unit });
    // For an edited Markdown folder, edits count, and every skipped file is a problem to report.
    const fault = folder === undefined ? importFault(report) : undefined;
    const nothingRead = report.invalid > 0 && (report.invalid === report.lines || folder !== undefined);
    if (fault !== undefined || nothingRead || (strict && report.invalid > 0)) process.exitCode = EXIT_INVALID;
    return fault === undefined ? summary : { success: false, error: fault, code: 'INVALID_REQUEST', exitCode: EXIT_INVALID, ...summary };
  }

  private print(summary: ImportSummary, how: Parameters<typeof formatSummary>[1]): void {
    this.log(formatSummary(summary, how));
    for (const warning of summary.warnings) this.note(`warning: ${warning}`);
    for (const { place, error } of summary.errors.slice(0, BAD_LINES_SHOWN)) this.note(`${place}: ${error ?? 'is not valid'}`);
    for (const { place, notes = [] } of (summary.notes ?? []).slice(0, BAD_LINES_SHOWN)) this.note(`${place}: ${notes.join('; ')}`);
    if (summary.invalid > BAD_LINES_SHOWN) this.note(`… and ${amount(summary.invalid - BAD_LINES_SHOWN, 'bad line', 'bad lines')} more.`);
  }
}

/** The lines to send, with progress. Keeps the error that ended them. */
class CountedLines {
  readonly #reading: Reading;
  readonly #progress: Progress;
  fault: unknown;

  constructor(reading: Reading, progress: Progress) {
    this.#reading = reading;
    this.#progress = progress;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#reading.chunks) {
        yield chunk;
        this.#progress.add(this.#reading.weigh(chunk));
      }
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }
}
