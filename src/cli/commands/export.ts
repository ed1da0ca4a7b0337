import { Args, Flags } from '@oclif/core';
import { once } from 'node:events';
import { ExportRequest, type ExportLine } from '../../memory/operations.ts';
import { writeWhole } from '../file-output.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount } from '../output.ts';
import { progressBar, type Progress } from '../progress.ts';
import { checkedRequest } from '../request.ts';

interface Exported {
  readonly file: string;
  readonly entries: number;
}

export default class Export extends MemoryCommand {
  static override summary = 'Write entries as JSON Lines, oldest first, after a header line.';
  static override description =
    'A file appears only when it is complete. What is written comes back with `import`. Entries of all namespaces are written unless --namespace names one.';
  static override examples = [
    '<%= config.bin %> export backup.jsonl',
    '<%= config.bin %> export --namespace owner/repo | gzip > repo.jsonl.gz',
    '<%= config.bin %> export copy.jsonl --vectors',
  ];
  static override args = {
    file: Args.string({ default: '-', ignoreStdin: true, description: 'File to write, or - for standard output.' }),
  };
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Only this namespace.' }),
    vectors: Flags.boolean({ description: 'Add the vectors, so that an import need not embed again.' }),
  };

  async run(): Promise<Exported | undefined> {
    const { args, flags } = await this.parse(Export);
    const request = checkedRequest(ExportRequest, { namespace: flags.namespace, vectors: flags.vectors || undefined });
    await using store = await this.openMemories(flags);
    const scope = request.namespace === undefined ? { allNamespaces: true } : { namespace: request.namespace };
    const { total } = await store.memories.list({ ...scope, limit: 1 });
    const progress = progressBar('Exporting', total);
    try {
      const lines = linesOf(store.memories.export(request, { source: 'cli' }), progress);
      if (args.file === '-') {
        await toStandardOutput(lines);
        // Standard output holds the entries and nothing else, under --json too.
        return undefined;
      }
      const written = await writeWhole(args.file, lines);
      progress.stop();
      // The header is no entry.
      const entries = written - 1;
      this.log(`Wrote ${amount(entries, 'entry', 'entries')} to ${args.file}.`);
      return { file: args.file, entries };
    } finally {
      progress.stop();
    }
  }
}

async function* linesOf(lines: AsyncIterable<ExportLine>, progress: Progress): AsyncGenerator<string> {
  for await (const line of lines) {
    yield `${JSON.stringify(line)}\n`;
    if (!('lore' in line)) progress.add(1);
  }
}

async function toStandardOutput(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    if (!process.stdout.write(line)) await once(process.stdout, 'drain');
  }
}
