import { isAbsolute, relative } from 'node:path';
import { Args, Flags } from '@oclif/core';
import type { LoadedConfig } from '../../config/load.ts';
import { findProject } from '../../config/project.ts';
import { LoreError } from '../../memory/errors.ts';
import type { MemoryOperations } from '../../memory/operations/operations.ts';
import { SourcesRequest } from '../../memory/operations/source-operations.ts';
import type { HashCache } from '../../sources/project/files.ts';
import { indexProject, type IndexReport } from '../../sources/project/index-run.ts';
import type { PlanOptions, Project } from '../../sources/project/plan.ts';
import { projectStatus, type IndexStatus } from '../../sources/project/status.ts';
import { formatChange, formatIndexReport, formatIndexStatus, secretWarning } from '../print/index-report.ts';
import { MemoryCommand, type StoreFlags } from '../memory-command.ts';
import { progressBar } from '../print/progress.ts';
import { checkedRequest } from '../flags/request.ts';
import { stopSignal } from '../server/server-lifetime.ts';

export default class Index extends MemoryCommand {
  static override summary = 'Index the code and documents of a project.';
  static override description =
    'Reads a folder, except files ignored by .gitignore and .loreignore. Splits code at definitions, Markdown at headings and other text at paragraphs, and stores each passage as an entry with its file and lines. Run it again to update: it stores new and changed passages, keeps the entries of renamed files and removes those of deleted files. Entries that you saved yourself never change. ' +
    'Binaries, lockfiles, generated files and files that may contain secrets are left out. You can stop it with Ctrl-C: the next run continues.';
  static override examples = [
    '<%= config.bin %> index',
    '<%= config.bin %> index docs --dry-run',
    '<%= config.bin %> index --watch',
    '<%= config.bin %> index --status --json | jq .upToDate',
  ];
  static override args = {
    path: Args.string({ ignoreStdin: true, default: '.', description: 'File or folder of the project.' }),
  };
  static override flags = {
    watch: Flags.boolean({ char: 'w', description: 'Keep running and index changes until Ctrl-C.', exclusive: ['dry-run', 'status'] }),
    'dry-run': Flags.boolean({ description: 'Only show what would change.', exclusive: ['status'] }),
    status: Flags.boolean({ description: 'Show what is indexed and whether it is up to date.' }),
    namespace: Flags.string({ char: 'n', description: 'Namespace of the entries. Default: the namespace of the project.' }),
  };

  async run(): Promise<IndexReport | IndexStatus | undefined> {
    const { args, flags } = await this.parse(Index);
    checkedRequest(SourcesRequest, { namespace: flags.namespace });
    const stop = flags.watch ? stopSignal() : undefined;
    const loaded = await this.settings(flags);
    const project = await projectOf(loaded, { path: args.path, namespace: flags.namespace, config: flags.config });
    if (stop !== undefined) return await this.watch({ loaded, project, flags, stop });
    await using store = await this.openStore(loaded, flags);
    const options = planOptions(loaded, project, store.memories);
    if (flags.status) {
      const status = await projectStatus(options);
      this.log(formatIndexStatus(status));
      return status;
    }
    const report = await this.index(options, flags['dry-run']);
    this.log(formatIndexReport(report));
    this.noteSecrets(report);
    return report;
  }

  protected override onSignals(): void {
    // With --watch, Ctrl-C is the normal end: `stopSignal` handles it.
    if (!this.argv.some((argument) => argument === '--watch' || argument === '-w')) super.onSignals();
  }

  private async index(options: PlanOptions, dryRun: boolean): Promise<IndexReport> {
    let progress = progressBar('Indexing', 0);
    const onPlanned = (files: number): void => {
      if (!dryRun) progress = progressBar('Indexing', files);
    };
    return await indexProject({ ...options, dryRun, onPlanned, onDone: (files) => progress.add(files) }).finally(() => progress.stop());
  }

  /** Opens the store for each run only, so that other commands can use it in between. */
  private async watch({ loaded, project, flags, stop }: Watching): Promise<undefined> {
    const { watchProject } = await import('../../sources/project/watch.ts');
    const ending = new AbortController();
    void stop.then(() => ending.abort());
    const cache: HashCache = new Map();
    let isFirst = true;
    const onChange = async (): Promise<void> => {
      try {
        await using store = await this.openStore(loaded, flags);
        const options = { ...planOptions(loaded, project, store.memories), cache, signal: ending.signal };
        this.tell(await this.index(options, false), isFirst);
        isFirst = false;
      } catch (error) {
        if (!ending.signal.aborted) this.noteFault(error, isFirst);
      }
    };
    this.note(`Watching ${project.folder}; Ctrl-C ends it.`);
    await watchProject({ project, onChange, onFault: (error) => this.noteFault(error, false), signal: ending.signal });
    return undefined;
  }

  /** With `--json`, every run prints one line. */
  private tell(report: IndexReport, isFirst: boolean): void {
    const hasChanges = isFirst || report.files.new + report.files.changed + report.files.renamed + report.files.removed > 0;
    if (!hasChanges) return;
    if (this.jsonEnabled()) process.stdout.write(`${JSON.stringify(report)}\n`);
    else this.log(formatChange(report));
    this.noteSecrets(report);
  }

  private noteSecrets(report: IndexReport): void {
    const warning = secretWarning(report);
    if (warning !== undefined) this.note(warning);
  }

  /** An error in the first run ends the command; after a later one, the next change tries again. */
  private noteFault(error: unknown, isFirst: boolean): void {
    if (isFirst || !(error instanceof LoreError)) throw error;
    this.note(`${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`);
  }
}

interface Watching {
  readonly loaded: LoadedConfig;
  readonly project: Project;
  readonly flags: StoreFlags;
  readonly stop: Promise<void>;
}

interface Asked {
  readonly path: string;
  readonly namespace?: string | undefined;
  readonly config?: string | undefined;
}

async function projectOf({ config }: LoadedConfig, { path, namespace, config: file }: Asked): Promise<Project> {
  const place = await findProject({ path, cwd: process.cwd() });
  if (namespace !== undefined) return { ...place, namespace };
  const isFileNamed = file !== undefined || Boolean(process.env['SERVICE_CONFIG']);
  const configured = isFileNamed || isBelow(process.cwd(), place.folder) ? config.memory.namespace : await namespaceSetIn(place.folder);
  const { detectNamespace } = await import('../../config/namespace.ts');
  return { ...place, namespace: (await detectNamespace({ cwd: place.folder, configured })).namespace };
}

/** The configuration for work in that folder. */
async function namespaceSetIn(folder: string): Promise<string | undefined> {
  const { loadConfig } = await import('../../config/load.ts');
  return loadConfig({ cwd: folder }).config.memory.namespace;
}

function isBelow(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below === '' || !(below.startsWith('..') || isAbsolute(below));
}

function planOptions({ config: { index, memory } }: LoadedConfig, project: Project, { sources }: MemoryOperations): PlanOptions {
  return {
    project,
    sources,
    maxFileBytes: index.maxFileSizeKB * 1024,
    maxFiles: index.maxFilesPerScan,
    splitting: { size: index.chunkSize, overlap: memory.chunkOverlap },
  };
}
