import { statSync } from 'node:fs';
import { captureLocation, spoolFile } from '../../../config/capture-location.ts';
import { userDirectories } from '../../../config/directories.ts';
import { CaptureStatsRequest, type CaptureStats } from '../../../memory/operations/capture-operations.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { amount, byteSize, facts, moment } from '../../print/output.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../../flags/request.ts';

const NO_STATS = {
  kept: 0,
  refused: 0,
  byKind: {},
  byReason: {},
  contexts: { given: 0, missed: {} },
  perDay: [],
};
type NoCaptureStats = typeof NO_STATS & Pick<CaptureStats, 'enabled' | 'waitingBytes'>;

export default class CaptureStatsCommand extends MemoryCommand {
  static override summary = 'Count what capture kept and refused, with the reasons.';
  static override description =
    'Counts all events since the first one, across restarts, except those still waiting to be processed. Does not create a store.';
  static override examples = [
    '<%= config.bin %> capture stats',
    '<%= config.bin %> capture stats --namespace owner/repo --json | jq .byReason',
  ];
  static override flags = fieldFlags(CaptureStatsRequest, { namespace: { char: 'n', description: 'Only this namespace (default all).' } });

  async run(): Promise<CaptureStats | NoCaptureStats> {
    const { flags } = await this.parse(CaptureStatsCommand);
    const request = checkedRequest(CaptureStatsRequest, fieldsOf(CaptureStatsRequest, flags));
    const loaded = await this.settings(flags);
    await using store = await this.openStoreIfThere(loaded, flags);
    if (store === undefined) {
      const waitingBytes = waitingIn(loaded.config.storage.path);
      this.noStore(loaded);
      if (waitingBytes > 0) this.log(`Waiting ${byteSize(waitingBytes)}: the next process that opens the store processes these events.`);
      return { ...NO_STATS, waitingBytes, enabled: loaded.config.capture.enabled };
    }
    const stats = await store.memories.capture.stats(request, { source: 'cli' });
    this.log(formatStats(stats));
    return stats;
  }
}

/** Bytes of waiting events from hooks. */
function waitingIn(storagePath: string): number {
  const place = captureLocation(storagePath, () => userDirectories().data);
  return statSync(spoolFile(place), { throwIfNoEntry: false })?.size ?? 0;
}

function formatStats({ enabled, waitingBytes, kept, refused, byKind, byReason, contexts, assist, since }: CaptureStats): string {
  return facts([
    ['Capture', enabled ? 'on' : 'off (capture.enabled)'],
    ['Since', since === undefined ? 'nothing was captured yet' : moment(since)],
    ['Kept', `${amount(kept, 'entry', 'entries')}${listed(byKind)}`],
    ['Refused', `${refused.toLocaleString('en-US')}${listed(byReason)}`],
    ['Context', `given ${amount(contexts.given, 'time', 'times')}${missedText(contexts.missed)}`],
    ...(assist === undefined ? [] : [['Asked', assistText(assist)] as const]),
    ['Waiting', waitingBytes === 0 ? 'nothing' : byteSize(waitingBytes)],
  ]);
}

function assistText({ asked, saved, tokens }: NonNullable<CaptureStats['assist']>): string {
  return `${amount(asked, 'time', 'times')} to save, ${amount(saved, 'memory', 'memories')} saved then, about ${amount(tokens, 'token', 'tokens')}`;
}

function missedText(missed: CaptureStats['contexts']['missed']): string {
  const total = Object.values(missed).reduce((sum, count) => sum + count, 0);
  return total === 0 ? '' : `, missed ${total.toLocaleString('en-US')}${listed(missed)}`;
}

/** The most frequent first. */
function listed(counts: Readonly<Record<string, number>>): string {
  const shown = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`);
  return shown.length === 0 ? '' : `: ${shown.join(', ')}`;
}
