import { Args, Flags } from '@oclif/core';
import { open } from 'node:fs/promises';
import { LoreError } from '../../memory/errors.ts';
import { ImportRequest, type ImportReport } from '../../memory/operations.ts';
import { asJsonLines } from '../json-store.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount } from '../output.ts';
import { progressBar, type Progress } from '../progress.ts';
import { checkedRequest } from '../request.ts';

const BAD_LINES_SHOWN = 20;
const EXIT_INVALID = 5;

interface Source {
  readonly name: string;
  readonly bytes: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export default class Import extends MemoryCommand {
  static override summary = 'Bring in entries from JSON Lines, such as an export, or from a JSON store file.';
  static override description =
    'Entries that are there already are not stored twice. A bad line is named and does not stop the rest, unless --strict. Ends with 5 where --strict found a bad line, or where no line could be read.';
  static override examples = [
    '<%= config.bin %> import backup.jsonl',
    'zcat repo.jsonl.gz | <%= config.bin %> import -',
    '<%= config.bin %> import notes.jsonl --dry-run --namespace owner/repo',
  ];
  static override args = {
    file: Args.string({ required: true, ignoreStdin: true, description: 'File to read, or - for standard input.' }),
  };
  static override flags = {
    strict: Flags.boolean({ description: 'Store nothing when any line is bad.' }),
    'dry-run': Flags.boolean({ description: 'Only check and report.' }),
    namespace: Flags.string({ char: 'n', description: 'Namespace of lines that name none; that of the working directory by default.' }),
  };

  async run(): Promise<ImportReport> {
    const { args, flags } = await this.parse(Import);
    const { strict, namespace } = flags;
    const request = checkedRequest(ImportRequest, { strict: strict || undefined, dryRun: flags['dry-run'] || undefined, namespace });
    const source = await openSource(args.file);
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, namespace);
    const progress = progressBar('Importing', source.bytes);
    const report = await store.memories
      .import(asJsonLines(counted(source.chunks, progress), source.name), { ...request, namespace: here.namespace }, { source: 'cli' })
      .finally(() => progress.stop());
    this.log(formatReport(report, strict));
    for (const { line, error } of report.errors.slice(0, BAD_LINES_SHOWN)) this.note(`${source.name}:${line}: ${error ?? 'is not valid'}`);
    if (report.invalid > BAD_LINES_SHOWN) this.note(`… and ${amount(report.invalid - BAD_LINES_SHOWN, 'bad line', 'bad lines')} more.`);
    const nothingRead = report.invalid > 0 && report.invalid === report.lines;
    if (report.invalid > 0 && (strict || nothingRead)) process.exitCode = EXIT_INVALID;
    return report;
  }
}

/** The file or standard input, open before anything else is, so that a wrong name costs nothing. Rejects with `filesystem`. */
async function openSource(name: string): Promise<Source> {
  if (name === '-') return { name: 'standard input', bytes: undefined, chunks: process.stdin };
  const cannotRead = (cause: NodeJS.ErrnoException): never => {
    const reason = { ENOENT: 'it does not exist', EACCES: 'access is denied', EISDIR: 'it is a folder' }[cause.code ?? ''] ?? cause.code;
    throw new LoreError('filesystem', `${name} cannot be read: ${reason}.`, { cause });
  };
  const file = await open(name).catch(cannotRead);
  const stat = await file.stat();
  if (stat.isDirectory()) {
    await file.close();
    cannotRead(Object.assign(new Error('is a directory'), { code: 'EISDIR' }));
  }
  return { name, bytes: stat.isFile() ? stat.size : undefined, chunks: file.createReadStream() };
}

async function* counted(chunks: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    progress.add(chunk.length);
  }
}

function formatReport(report: ImportReport, strict: boolean): string {
  const refused = report.invalid > 0 && strict;
  const verb = refused ? 'Nothing stored' : report.dryRun ? 'Would store' : 'Stored';
  const stored = refused ? '' : ` ${amount(report.stored, 'entry', 'entries')}`;
  return `${verb}${stored} from ${amount(report.lines, 'line', 'lines')}: ${amount(report.duplicates, 'was there already', 'were there already')}, ${report.invalid.toLocaleString('en-US')} bad.`;
}
