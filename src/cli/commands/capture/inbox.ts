import { Flags } from '@oclif/core';
import { GLOBAL_NAMESPACE } from '../../../memory/vocabulary.ts';
import { REVIEW_VERDICTS, type CaptureReviewReport, type CaptureReviewRequest } from '../../../memory/operations/capture-operations.ts';
import { ListRequest, type EntryPage, type MemoryOperations } from '../../../memory/operations/operations.ts';
import { formatPage } from '../../print/entries.ts';
import { UsageError } from '../../failure.ts';
import { number } from '../../flags/flags.ts';
import { entriesNamed } from '../../named-entry.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { amount } from '../../print/output.ts';
import { checkedRequest } from '../../flags/request.ts';

const ALL = 'all';
/** Entries on one page. */
const MOST = 100;
const DONE = { keep: 'Kept', drop: 'Dropped', never: 'Never captured again:' } as const;

const decision = (description: string) => Flags.string({ multiple: true, multipleNonGreedy: true, helpValue: 'ID|all', description });

export default class CaptureInboxCommand extends MemoryCommand {
  static override summary = 'Review captured entries: keep, drop, or never capture again.';
  static override description =
    'Without a decision it lists the inbox, newest first. Dropped and unwanted entries go to the archive: `lore archive --reason unwanted` lists texts that are never captured again, `lore archive restore ID` restores one. An entry that you edit counts as kept.';
  static override examples = [
    '<%= config.bin %> capture inbox',
    '<%= config.bin %> capture inbox --keep 01975a3e --never 01975a3d',
    '<%= config.bin %> capture inbox --keep all',
  ];
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace to list.', exclusive: ['all'] }),
    all: Flags.boolean({ char: 'a', description: 'List every namespace.' }),
    limit: number({ char: 'l', description: 'Number of entries, 1 to 100 (default memory.defaultLimit).' }),
    keep: decision('Keep this entry, or `all` listed ones; repeatable.'),
    drop: decision('Archive this entry, or `all` listed ones; repeatable.'),
    never: decision('Archive it, and never capture this text or nearly the same text again; repeatable.'),
  };

  async run(): Promise<EntryPage | { readonly decided: readonly CaptureReviewReport[] }> {
    const { flags } = await this.parse(CaptureInboxCommand);
    const given = REVIEW_VERDICTS.flatMap((verdict) => (flags[verdict] === undefined ? [] : [{ verdict, ids: flags[verdict] }]));
    if (given.length > 1 && given.some(({ ids }) => ids.includes(ALL))) {
      throw new UsageError(
        '`all` cannot be combined with another decision.',
        'First decide on single entries, then on all others with a second command.',
      );
    }
    const wanted = { limit: flags.limit, namespace: flags.namespace, allNamespaces: flags.all || undefined, pending: true };
    const request = checkedRequest(ListRequest, wanted);
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, flags.namespace);
    const place = flags.all ? request : { ...request, namespace: here.namespace };
    if (given.length > 0) return { decided: await this.decide(given, { memories: store.memories, place }) };
    const page = await store.memories.list(place, { source: 'cli' });
    this.log(page.total === 0 ? 'The inbox is empty.' : formatPage(page, { allNamespaces: flags.all }));
    const isProject = !flags.all && here.namespace !== GLOBAL_NAMESPACE;
    const personal = isProject
      ? (await store.memories.list({ namespace: GLOBAL_NAMESPACE, pending: true, limit: 1 }, { source: 'cli' })).total
      : 0;
    if (personal > 0)
      this.note(`${amount(personal, 'entry waits', 'entries wait')} in ${GLOBAL_NAMESPACE}: --namespace ${GLOBAL_NAMESPACE}`);
    if (page.total > 0) this.note(`Decide with --keep, --drop or --never, and the id or \`all\`.`);
    return page;
  }

  private async decide(
    given: readonly { readonly verdict: CaptureReviewRequest['verdict']; readonly ids: readonly string[] }[],
    { memories, place }: { readonly memories: MemoryOperations; readonly place: ListRequest },
  ): Promise<CaptureReviewReport[]> {
    const decided: CaptureReviewReport[] = [];
    for (const { verdict, ids } of given) {
      const meant = ids.includes(ALL)
        ? (await memories.list({ limit: MOST, ...place })).entries.map(({ id }) => id)
        : await entriesNamed(ids, memories);
      const report: CaptureReviewReport =
        meant.length === 0 ? { verdict, entries: 0 } : await memories.capture.review({ verdict, ids: meant }, { source: 'cli' });
      decided.push(report);
      this.log(
        `${DONE[verdict]} ${amount(report.entries, 'entry', 'entries')}.${report.run === undefined ? '' : ` To undo: ${this.config.bin} archive restore --run ${report.run}`}`,
      );
    }
    return decided;
  }
}
