import { Args, Flags } from '@oclif/core';
import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { LoadedConfig } from '../../config/load.ts';
import { LoreError } from '../../memory/errors.ts';
import { silentLog } from '../../memory/log.ts';
import { ExportRequest, type ExportLine, type MemoryOperations } from '../../memory/operations/operations.ts';
import type { TableDamage } from '../../repair-store.ts';
import { writeFileAtomically } from '../file-output.ts';
import { MemoryCommand, type StoreFlags } from '../memory-command.ts';
import { amount } from '../print/output.ts';
import { progressBar, type Progress } from '../print/progress.ts';
import { damageLines } from '../print/repair.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

interface Exported {
  readonly file: string;
  readonly entries: number;
  /** Only with --all. */
  readonly relations?: number;
  readonly archived?: number;
  readonly versions?: number;
  /** Only with --markdown: files. */
  readonly written?: number;
  readonly removed?: number;
  readonly unchanged?: number;
  readonly passages?: number;
  /** Parts of a damaged store that could not be read and are missing in the file. */
  readonly missing?: readonly TableDamage[];
}

export default class Export extends MemoryCommand {
  static override summary = 'Export entries as JSON Lines or as a folder of Markdown.';
  static override description =
    'The file appears only when it is complete; `import` reads it. Exports all namespaces unless you pass --namespace. --all adds relations, the archive and earlier versions, so that you can recreate the store from the file.';
  static override examples = [
    '<%= config.bin %> export backup.jsonl',
    '<%= config.bin %> export everything.jsonl.gz --all --vectors',
    '<%= config.bin %> export --markdown notes --namespace owner/repo',
    '<%= config.bin %> export --namespace owner/repo --gzip > repo.jsonl.gz',
  ];
  static override args = {
    file: Args.string({ default: '-', ignoreStdin: true, description: 'File to write, or - for standard output.' }),
  };
  static override flags = {
    ...fieldFlags(ExportRequest, {
      namespace: { char: 'n', description: 'Only this namespace.' },
      vectors: 'Include the vectors, so that an import need not embed again.',
      all: 'Include relations, the archive and earlier versions of entries.',
    }),
    markdown: Flags.string({
      helpValue: 'DIR',
      description: 'Write a folder of Markdown instead, one file per entry; `import` reads it with your edits.',
      exclusive: ['vectors', 'all', 'gzip'],
    }),
    force: Flags.boolean({ description: 'With --markdown: overwrite files whose edits were not imported.', dependsOn: ['markdown'] }),
    gzip: Flags.boolean({ description: 'Compress; a file whose name ends in .gz is compressed anyway.' }),
  };

  async run(): Promise<Exported | undefined> {
    const { args, flags } = await this.parse(Export);
    if (flags.markdown !== undefined) return await this.toMarkdown(flags.markdown, args.file, flags);
    const request = checkedRequest(ExportRequest, fieldsOf(ExportRequest, flags));
    const loaded = await this.settings(flags);
    await using store = await this.openReadable(loaded, flags);
    const scope = request.namespace === undefined ? { allNamespaces: true } : { namespace: request.namespace };
    const { total } = await store.memories.list({ ...scope, limit: 1 });
    const progress = progressBar('Exporting', total);
    try {
      const lines = new CountedLines(store.memories.export(request, { source: 'cli' }), progress);
      const pieces = flags.gzip || args.file.endsWith('.gz') ? compressed(lines) : lines;
      if (store.missing !== undefined) process.exitCode = EXIT_MISSING;
      if (args.file === '-') {
        await toStandardOutput(pieces);
        // Standard output contains only the entries, even with --json.
        return undefined;
      }
      await writeFileAtomically(args.file, pieces);
      progress.stop();
      const { entries, ...besides } = lines.counts;
      this.log(`Wrote ${amount(entries, 'entry', 'entries')}${flags.all ? besidesText(besides) : ''} to ${args.file}.`);
      return { file: args.file, entries, ...(flags.all ? besides : {}), ...(store.missing && { missing: store.missing }) };
    } finally {
      progress.stop();
    }
  }

  private async toMarkdown(
    dir: string,
    file: string,
    flags: StoreFlags & { namespace?: string | undefined; force: boolean },
  ): Promise<Exported> {
    if (file !== '-') throw new LoreError('invalid_input', `--markdown already names the folder; remove ${file}.`);
    const { namespace } = checkedRequest(ExportRequest, { namespace: flags.namespace });
    await using store = await this.openMemories(flags);
    const scope = namespace === undefined ? { allNamespaces: true } : { namespace };
    const progress = progressBar('Exporting', (await store.memories.list({ ...scope, limit: 1 })).total);
    const lines = store.memories.export({ all: true, ...withoutUndefined({ namespace }) }, { source: 'cli' });
    const { exportFolder } = await import('../markdown-folder/export-folder.ts');
    const report = await exportFolder(dir, lines, { namespace, force: flags.force, onEntry: () => progress.add(1) }).finally(() =>
      progress.stop(),
    );
    const { entries, written, removed, unchanged, passages } = report;
    this.log(
      `Wrote ${amount(entries, 'entry', 'entries')} to ${dir}: ${amount(written, 'file', 'files')} written, ${unchanged} unchanged, ${removed} removed.`,
    );
    if (passages > 0) this.note(`Left out ${amount(passages, 'passage', 'passages')} of indexed and ingested files.`);
    return { file: dir, ...report };
  }

  /** The store, or the readable part of a damaged store that cannot be opened. */
  private async openReadable(loaded: LoadedConfig, flags: StoreFlags): Promise<ReadableStore> {
    try {
      return await this.openStore(loaded, flags);
    } catch (error) {
      if (!(error instanceof LoreError) || error.code !== 'filesystem' || flags.url !== undefined) throw error;
      const { openSalvaged } = await import('../../repair-store.ts');
      const salvaged = await openSalvaged(loaded, silentLog);
      if (salvaged === undefined) throw error;
      this.note([error.message, ...damageLines(salvaged), 'All readable entries were exported.'].join('\n'));
      return { memories: salvaged.app.ownMemories, missing: salvaged.tables, [Symbol.asyncDispose]: () => salvaged.close() };
    }
  }
}

/** Exit code if something could not be read. */
const EXIT_MISSING = 1;

interface ReadableStore {
  readonly memories: MemoryOperations;
  readonly missing?: readonly TableDamage[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** The lines of an export as text, counted by kind. */
class CountedLines implements AsyncIterable<string> {
  readonly counts = { entries: 0, relations: 0, archived: 0, versions: 0 };
  readonly #lines: AsyncIterable<ExportLine>;
  readonly #progress: Progress;

  constructor(lines: AsyncIterable<ExportLine>, progress: Progress) {
    this.#lines = lines;
    this.#progress = progress;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for await (const line of this.#lines) {
      yield `${JSON.stringify(line)}\n`;
      this.#count(line);
    }
  }

  #count(line: ExportLine): void {
    if ('relation' in line) this.counts.relations += 1;
    else if ('archived' in line) this.counts.archived += 1;
    else if ('version' in line) this.counts.versions += 1;
    else if (!('lore' in line)) {
      this.counts.entries += 1;
      this.#progress.add(1);
    }
  }
}

function besidesText({ relations, archived, versions }: Omit<CountedLines['counts'], 'entries'>): string {
  return `, ${amount(relations, 'relation', 'relations')}, ${amount(archived, 'archived entry', 'archived entries')} and ${amount(versions, 'earlier version', 'earlier versions')}`;
}

function compressed(lines: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  // Errors of either side reach the reader; a reader that stops also ends the lines.
  return pipeline(Readable.from(lines), createGzip(), () => {});
}

async function toStandardOutput(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}
