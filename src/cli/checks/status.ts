import type { LoadedConfig, UntrustedFile } from '../../config/load.ts';
import type { TargetStatus } from '../../integrations/target-states.ts';
import type { Health } from '../../memory/operations/operations.ts';
import { isRemote } from '../../memory/store-address.ts';
import { clientStates } from './integrations.ts';
import type { Connection } from '../connection.ts';
import { formatEmbedder } from '../print/entries.ts';
import { formatStates, remedies } from '../print/integrations.ts';
import { amount, byteSize, duration, facts, moment } from '../print/output.ts';
import { notAppliedText } from './untrusted-file.ts';
import { versioningOf, versioningText, type Versioning } from './versioning.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

interface Surroundings {
  /** The namespace of the working directory; a running server may use another one. */
  readonly here: { readonly namespace: string; readonly why: string; readonly entries: number };
  /** The state of each client of `lore setup`. */
  readonly integrations: readonly TargetStatus[];
  /** Settings of the project file that are not applied; absent if there are none. */
  readonly untrusted?: UntrustedFile;
}

export interface Status extends Health, Surroundings {
  /** URL of the server that has the store open, or null. */
  readonly server: string | null;
  /** Absent for a store that is not on object storage. */
  readonly versioning?: Versioning;
}

/** The status before the first save. */
export interface NoStore extends Surroundings {
  readonly server: null;
  readonly status: 'no store';
  readonly version: string;
  readonly totalEntries: 0;
  readonly storage: Health['storage'];
}

interface Asked {
  readonly loaded: LoadedConfig;
  /** Undefined if nothing was saved yet. */
  readonly store: Connection | undefined;
  readonly version: string;
  readonly here: Pick<Surroundings['here'], 'namespace' | 'why'>;
}

interface Shown {
  readonly status: Status | NoStore;
  readonly text: string;
  /** Current problems. */
  readonly notes: readonly string[];
}

/** Prints the state of server, store, embedder and connected agents. */
export async function showStatus({ loaded, store, version, here }: Asked): Promise<Shown> {
  const integrations = await clientStates();
  const surroundings = (entries: number): Surroundings => ({
    here: { ...here, entries },
    integrations,
    ...withoutUndefined({ untrusted: loaded.untrusted }),
  });
  const status =
    store === undefined ? { ...noStore(loaded, version), ...surroundings(0) } : await statusOf(store, here.namespace, surroundings);
  const text = `${status.status === 'no store' ? formatNoStore(status) : formatStatus(status)}\n\n${formatStates(integrations)}`;
  const degraded = status.status === 'no store' ? [] : status.degraded;
  return { status, text, notes: [...degraded, ...remedies(integrations)] };
}

async function statusOf(
  { memories, server }: Connection,
  namespace: string,
  surroundings: (entries: number) => Surroundings,
): Promise<Status> {
  const [health, page] = await Promise.all([memories.health(), memories.list({ namespace, limit: 1 })]);
  const versioning = versioningOf(health.storage.path);
  return { server: server ?? null, ...health, ...withoutUndefined({ versioning }), ...surroundings(page.total) };
}

function noStore({ config: { storage } }: LoadedConfig, version: string): Omit<NoStore, keyof Surroundings> {
  const { type, path } = storage;
  return { server: null, status: 'no store', version, totalEntries: 0, storage: { type, path, bytes: 0 } };
}

function formatNoStore({ version, storage, here, untrusted }: NoStore): string {
  return facts([
    ['Server', noServer(storage)],
    ['Status', 'no store yet: the first save makes one'],
    ['Version', version],
    ['Store', `${storage.path ?? ''} (${storage.type}, not there yet)`],
    ['Namespace', `${here.namespace} (${here.why})`],
    ['Not applied', untrusted && notAppliedText(untrusted)],
  ]);
}

function formatStatus(status: Status): string {
  const { storage, here, untrusted, versioning } = status;
  return facts([
    ['Server', status.server === null ? noServer(storage) : `${status.server}, for ${duration(status.uptimeMs)}`],
    ['Status', status.status],
    ['Version', status.version],
    ['Store', `${storage.path ?? 'of the server'} (${storage.type}, ${byteSize(storage.bytes)})`],
    ['Servers', storage.servers?.toString()],
    ['Versioning', versioning && versioningText(versioning)],
    [
      'Entries',
      `${amount(status.totalEntries, 'entry', 'entries')}, ${here.entries.toLocaleString('en-US')} here, ${status.globalEntries.toLocaleString('en-US')} global`,
    ],
    ['Namespace', `${here.namespace} (${here.why})`],
    ['Not applied', untrusted && notAppliedText(untrusted)],
    ['Embedder', formatEmbedder(status.embedder)],
    ['Maintenance', status.maintenance],
    ['Last backup', status.lastBackup === undefined ? 'none' : `${moment(status.lastBackup.createdAt)} (${status.lastBackup.name})`],
    ['Memory', byteSize(status.rss)],
  ]);
}

/** A lock in the folder names the process; on object storage, other machines may use the store. */
function noServer({ path = '' }: Health['storage']): string {
  return isRemote(path) ? 'none named; others may use this store, --url asks one' : 'not running';
}
