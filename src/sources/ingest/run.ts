import { extname } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import type { SourceOperations } from '../../memory/operations/source-operations.ts';
import { readAll, documentFiles, type DocumentFile, type FolderOptions } from './document-files.ts';
import { gitHistory } from './git-history.ts';
import type { IngestReport } from './report.ts';
import type { IngestRequest } from './request.ts';
import { Ingestion, STANDARD_INPUT, type IngestOptions } from './ingestion.ts';
import { DocumentReader } from '../readers/document-reader.ts';
import { Findings } from '../readers/findings.ts';

const DEFAULT_COMMITS = 10_000;

/** Documents to ingest, and the target. */
interface IngestRun {
  readonly sources: Pick<SourceOperations, 'list' | 'replace'>;
  readonly options: IngestOptions;
  readonly request: Pick<IngestRequest, 'name' | 'since' | 'limit'>;
  /** Files, folders, and `-` for standard input; with `git`, folders of repositories. */
  readonly named: readonly string[];
  readonly git: boolean;
  readonly folders: Omit<FolderOptions, 'findings'>;
  readonly standardInput: AsyncIterable<Uint8Array>;
  /** Called after each document. */
  readonly onDocument: () => void;
}

/**
 * Ingests everything that is named. A missing name among several is reported like an unreadable document; a single missing name rejects
 * with `filesystem`.
 */
export async function ingestAll(run: IngestRun): Promise<IngestReport> {
  const { sources, options, named, onDocument } = run;
  await using reader = new DocumentReader();
  const ingestion = new Ingestion({ sources, reader, options });
  const findings = new Findings();
  for (const each of named) {
    try {
      for await (const document of documentsOf(each, run, findings)) {
        await ingestion.add(document);
        onDocument();
      }
    } catch (error) {
      if (named.length === 1 || !(error instanceof LoreError) || error.code !== 'filesystem') throw error;
      ingestion.addMissing(each, error);
    }
  }
  return await ingestion.finish(findings.leftOut);
}

async function* documentsOf(
  named: string,
  { git, request, folders, options, standardInput }: IngestRun,
  findings: Findings,
): AsyncGenerator<DocumentFile> {
  const { name, since, limit = DEFAULT_COMMITS } = request;
  if (git) yield gitHistory(named, { since, limit, signal: options.signal });
  else if (named === '-') yield pipedIn(standardInput, name);
  else yield* documentFiles(named, { ...folders, findings });
}

function pipedIn(chunks: AsyncIterable<Uint8Array>, name: string | undefined): DocumentFile {
  return {
    name: name ?? STANDARD_INPUT,
    place: name === undefined ? undefined : { root: STANDARD_INPUT, path: name },
    extension: extname(name ?? '').toLowerCase(),
    isNamed: true,
    load: async () => await readAll(chunks, name ?? STANDARD_INPUT),
  };
}
