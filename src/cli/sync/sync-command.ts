import { Args, Flags } from '@oclif/core';
import { z } from 'zod';
import { Namespace } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { silentLog } from '../../memory/log.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../failure.ts';
import { MemoryCommand, type StoreFlags } from '../memory-command.ts';
import { progressBar } from '../print/progress.ts';
import { checkedRequest } from '../flags/request.ts';
import { compare, type Direction, type SyncPlan } from './comparison.ts';
import { reportedConflicts } from './conflicts.ts';
import { applyPlan, expectedFigures, type SyncFigures } from './exchange.ts';
import { openOtherStore, type OtherStore } from './other-store.ts';
import { formatReport, formatSteps, type NamespaceReport, type SyncReport, type SyncVerb } from './summary.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const SyncRequest = z.object({ namespaces: z.array(Namespace) });

interface SyncFlags extends StoreFlags {
  readonly namespace?: string[] | undefined;
  readonly all: boolean;
  readonly 'dry-run': boolean;
  readonly key?: string | undefined;
}

/** Arguments of both directions. */
export const syncArgs = {
  uri: Args.string({
    required: true,
    ignoreStdin: true,
    description:
      'The other store: a folder, a location on object storage (az, s3 or gs, with your storage.options), or the address of a Lore server (http or https).',
  }),
};

/** Flags of both directions. */
export const syncFlags = {
  namespace: Flags.string({
    char: 'n',
    multiple: true,
    multipleNonGreedy: true,
    exclusive: ['all'],
    description: 'This namespace; repeatable. Default: the namespace of the working directory.',
  }),
  all: Flags.boolean({ char: 'a', description: 'Every namespace.' }),
  'dry-run': Flags.boolean({ default: false, description: 'Only show what would change.' }),
  key: Flags.string({
    helpValue: 'KEY',
    description: 'API key of the server; default SERVICE_API_KEY, which is not visible in the process list.',
  }),
};

/** Copies the newer changes of one store to the other, namespace by namespace. */
export abstract class SyncCommand extends MemoryCommand {
  protected async synchronize(direction: SyncVerb, uri: string, flags: SyncFlags): Promise<SyncReport> {
    const dryRun = flags['dry-run'];
    const { namespaces: named } = checkedRequest(SyncRequest, { namespaces: flags.namespace ?? [] }, { namespaces: '--namespace' });
    await using store = await this.openMemories(flags);
    const { loadConfig } = await import('../../config/load.ts');
    await using other = await openOtherStore(uri, {
      log: silentLog,
      key: flags.key ?? (process.env['SERVICE_API_KEY'] || undefined),
      absent: direction === 'pull' ? 'refused' : dryRun ? 'empty' : 'made',
      loaded: store.loaded,
      reload: (changes) => loadConfig({ flags: changes, ...withoutUndefined({ configFile: flags.config }) }),
    });
    if (store.server !== undefined && store.server === other.server) throw new UsageError(`${uri} is the server of this store itself.`);
    const sides = [await store.openSync(), await other.openSync()] as const;
    const ends: Direction = direction === 'push' ? { from: sides[0], to: sides[1] } : { from: sides[1], to: sides[0] };
    const namespaces = named.length > 0 ? [...new Set(named)] : flags.all ? await everyNamespace(direction, store, other) : [];
    if (namespaces.length === 0 && !flags.all) namespaces.push((await this.namespaceFor(store.loaded, undefined)).namespace);
    const reports: NamespaceReport[] = [];
    const undoOf = (id: string): string => undoCommand(id, direction, uri);
    for (const namespace of namespaces) reports.push(await this.#oneNamespace(ends, await compare(ends, namespace), { dryRun, undoOf }));
    // All entries of a namespace may have been forgotten or deleted there.
    for (const namespace of flags.all && direction === 'pull' ? await otherNamespaces(store, namespaces) : []) {
      const plan = await compare(ends, namespace).catch(unlessBound);
      if (plan !== undefined && plan.steps.length > 0) reports.push(await this.#oneNamespace(ends, plan, { dryRun, undoOf }));
    }
    const report: SyncReport = { direction, uri, dryRun, namespaces: reports };
    this.log(formatReport(report));
    if (other.isAbsent) this.note(`There is no store at ${uri} yet; a push creates it.`);
    return report;
  }

  async #oneNamespace(
    ends: Direction,
    plan: SyncPlan,
    { dryRun, undoOf }: { dryRun: boolean; undoOf: (id: string) => string },
  ): Promise<NamespaceReport> {
    const { namespace, steps, tombstonesSince } = plan;
    // Read before the plan is carried out, which replaces the texts.
    const facts = { namespace, conflicts: await reportedConflicts(ends, plan, undoOf), tombstonesSince };
    if (!dryRun) return { ...facts, ...(await this.#apply(ends, plan)) };
    if (!this.jsonEnabled() && steps.length + plan.relations.length + plan.unrelated.length > 0) this.log(await formatSteps(ends, plan));
    return { ...facts, ...expectedFigures(plan), steps };
  }

  async #apply(ends: Direction, plan: SyncPlan): Promise<SyncFigures> {
    const progress = progressBar(plan.namespace, plan.steps.length);
    try {
      return await applyPlan(ends, plan, (steps) => progress.add(steps));
    } finally {
      progress.stop();
    }
  }
}

/** The command that undoes the last change of an entry in the store where it was replaced. */
function undoCommand(id: string, direction: SyncVerb, uri: string): string {
  const undo = `lore history ${id} --undo`;
  if (direction === 'pull') return undo;
  const place = /^[\w./:@-]+$/.test(uri) ? uri : `'${uri.replaceAll("'", String.raw`'\''`)}'`;
  return /^https?:/i.test(uri) ? `${undo} --url ${place}` : `SERVICE_STORAGE_PATH=${place} ${undo}`;
}

/** The namespaces of this store that are not among these. */
async function otherNamespaces({ memories }: Connection, looked: readonly string[]): Promise<string[]> {
  return (await memories.namespaces()).flatMap(({ namespace }) => (looked.includes(namespace) ? [] : [namespace])).toSorted();
}

/** A key bound to one namespace cannot see others. */
function unlessBound(error: unknown): undefined {
  if (!(error instanceof LoreError && error.code === 'forbidden')) throw error;
}

/**
 * The namespaces of the sending side; a push also includes those of the other store, because all entries of a namespace may have been
 * forgotten here.
 */
async function everyNamespace(direction: SyncVerb, { memories }: Connection, other: OtherStore): Promise<string[]> {
  const sides = direction === 'push' ? [memories, other.memories] : [other.memories];
  const names = await Promise.all(sides.map(async (side) => (await side.namespaces()).map(({ namespace }) => namespace)));
  return [...new Set(names.flat())].toSorted();
}
