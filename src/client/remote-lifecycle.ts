import type { Entry } from '../memory/entry.ts';
import type { ArchivedEntry, EntryVersion } from '../memory/lifecycle.ts';
import type {
  ArchivePage,
  ArchiveRequest,
  CompactReport,
  CompactRequest,
  EntryHistory,
  ForgetReport,
  ForgetRequest,
  LifecycleOperations,
  RestoreReport,
  RestoreRequest,
} from '../memory/operations/lifecycle-operations.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import { entryFrom, type EntryForm } from '../memory/entry-form.ts';
import type { Relation } from '../memory/relation.ts';
import type { Transport } from './transport.ts';

type ArchivedAnswer = Omit<ArchivedEntry, 'entry' | 'at' | 'relations'> & {
  readonly entry: EntryForm;
  readonly archivedAt: string;
  readonly relations: readonly RelationAnswer[];
};
type VersionAnswer = Omit<EntryVersion, 'entryId' | 'writtenAt' | 'replacedAt'> & {
  readonly writtenAt: string;
  readonly replacedAt: string;
};

/** Compaction, forgetting, the archive and histories of a running server, over its /api routes. */
export class RemoteLifecycle implements LifecycleOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async compact(request: CompactRequest, options: CallOptions = {}): Promise<CompactReport> {
    const answer = await this.#transport.json<CompactReport>('POST', 'compact', { ...options, body: request, unlimited: true });
    const { dryRun, run, looked, archived, byReason, items, purged } = answer;
    return { dryRun, run, looked, archived, byReason, items, purged };
  }

  async forgetMany(request: ForgetRequest, options: CallOptions = {}): Promise<ForgetReport> {
    type Answer = Omit<ForgetReport, 'preview'> & { preview: EntryForm[] };
    const answer = await this.#transport.json<Answer>('POST', 'forget', { ...options, body: request, unlimited: true });
    const { matches, preview, done, token, run } = answer;
    return { matches, preview: preview.map(entryFrom), done, ...(token !== undefined && { token }), ...(run !== undefined && { run }) };
  }

  async archived(request: ArchiveRequest, options: CallOptions = {}): Promise<ArchivePage> {
    type Answer = Omit<ArchivePage, 'entries'> & { entries: ArchivedAnswer[] };
    const { entries, total, offset, limit } = await this.#transport.json<Answer>('GET', 'archive', { ...options, query: request });
    return { entries: entries.map(archivedFrom), total, offset, limit };
  }

  async restore(request: RestoreRequest, options: CallOptions = {}): Promise<RestoreReport> {
    const answer = await this.#transport.json<RestoreReport>('POST', 'restore', { ...options, body: request, unlimited: true });
    const { dryRun, restored, skipped } = answer;
    return { dryRun, restored, skipped };
  }

  async history(id: string, options: CallOptions = {}): Promise<EntryHistory> {
    type Answer = { entry: EntryForm; versions: VersionAnswer[] };
    const { entry, versions } = await this.#transport.json<Answer>('GET', `${encodeURIComponent(id)}/history`, options);
    return {
      entry: entryFrom(entry),
      versions: versions.map(({ writtenAt, replacedAt, replacedBy, state }) => ({
        entryId: entry.id,
        writtenAt: Date.parse(writtenAt),
        replacedAt: Date.parse(replacedAt),
        replacedBy,
        state,
      })),
    };
  }

  async undo(id: string, options: CallOptions = {}): Promise<Entry> {
    type Answer = { entry: EntryForm };
    const { entry } = await this.#transport.json<Answer>('POST', `${encodeURIComponent(id)}/undo`, {
      ...options,
      body: {},
      once: true,
    });
    return entryFrom(entry);
  }
}

function archivedFrom({ entry, archivedAt, reason, run, survivor, similarity, relations }: ArchivedAnswer): ArchivedEntry {
  return {
    entry: entryFrom(entry),
    at: Date.parse(archivedAt),
    reason,
    run,
    ...(survivor !== undefined && { survivor }),
    ...(similarity !== undefined && { similarity }),
    relations: relations.map(relationFrom),
  };
}

type RelationAnswer = Omit<Relation, 'createdAt'> & { readonly createdAt: string };

function relationFrom({ createdAt, ...relation }: RelationAnswer): Relation {
  return { ...relation, createdAt: Date.parse(createdAt) };
}
