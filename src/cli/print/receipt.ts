import type { Entry } from '../../memory/entry.ts';
import type { MemoryOperations, NearEntry, SaveOutcome, SaveReceipt } from '../../memory/operations/operations.ts';
import { stderrColors as pc } from './colors.ts';
import { lineWidth, oneLine } from './output.ts';
import { fit } from './text-width.ts';

interface Parts {
  readonly memories: Pick<MemoryOperations, 'get'>;
  readonly bin: string;
}

/** The details of a receipt as lines: redactions, warnings, near duplicates and other values. */
export async function receiptRemarks({ outcomes }: SaveReceipt, parts: Parts): Promise<string[]> {
  const remarks: string[] = [];
  for (const outcome of outcomes) {
    const { redactions = [], warnings = [], supersedes = [] } = outcome;
    if (redactions.length > 0) remarks.push(`Redacted before it was stored: ${redactions.join(', ')}.`);
    remarks.push(...warnings.map((warning) => `${pc.yellow('warning:')} ${oneLine(warning)}`));
    remarks.push(...supersedes.map((id) => `Replaces ${id}.`), ...(await nearRemarks(outcome, parts)));
  }
  return remarks;
}

async function nearRemarks({ id, near = [] }: SaveOutcome, { memories, bin }: Parts): Promise<string[]> {
  const shown = await Promise.all(near.map(async (other) => ({ other, line: nearLine(await contentOf(memories, other.id), other) })));
  const linesOf = (wanted: (other: NearEntry) => boolean): string[] => shown.flatMap(({ other, line }) => (wanted(other) ? line : []));
  const [differing, repeating] = [linesOf(isDiffering), linesOf((other) => !isDiffering(other) && other.repeats !== undefined)];
  const same = linesOf((other) => !isDiffering(other) && other.repeats === undefined);
  const [outdated] = near.filter(isDiffering);
  return [
    ...(same.length === 0 ? [] : ['Near duplicates, kept:', ...same, `If you do not need one of them: ${bin} forget <id>`]),
    ...(repeating.length === 0 ? [] : ['Already contains this:', ...repeating]),
    ...(differing.length === 0 ? [] : ['Another value for the same subject, kept:', ...differing]),
    ...(outdated === undefined ? [] : [`If the new one is right: ${bin} relate ${id} supersedes <id>`]),
  ];
}

const isDiffering = ({ differs }: NearEntry): boolean => differs !== undefined;

function nearLine(content: string, { id, similarity, differs = [] }: NearEntry): string[] {
  const line = fit(`  ${similarity.toFixed(2)}  ${id}  ${oneLine(content)}`.trimEnd(), lineWidth());
  return [line, ...differs.map(({ here, there }) => fit(`        here ${quoted(here)}, there ${quoted(there)}`, lineWidth()))];
}

const quoted = (text: string): string => (text === '' ? 'nothing' : `“${oneLine(text)}”`);

/** Empty if the entry was removed in the meantime. */
async function contentOf(memories: Pick<MemoryOperations, 'get'>, id: string): Promise<string> {
  const entry: Entry | undefined = await memories.get(id).catch(() => undefined);
  return entry === undefined ? '' : (entry.summary ?? entry.content);
}
