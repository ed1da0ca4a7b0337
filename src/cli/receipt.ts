import type { Entry } from '../memory/entry.ts';
import type { MemoryOperations, SaveReceipt } from '../memory/operations/operations.ts';
import { stderrColors as pc } from './colors.ts';
import { lineWidth, oneLine } from './output.ts';
import { fit } from './text-width.ts';

/** What a receipt says beyond its message, in lines for people: what was blotted out, what to look at, and what says nearly the same. */
export async function receiptRemarks(
  { outcomes }: SaveReceipt,
  { memories, bin }: { readonly memories: Pick<MemoryOperations, 'get'>; readonly bin: string },
): Promise<string[]> {
  const remarks: string[] = [];
  for (const { redactions = [], warnings = [], near = [] } of outcomes) {
    if (redactions.length > 0) remarks.push(`Blotted out before it was stored: ${redactions.join(', ')}.`);
    remarks.push(...warnings.map((warning) => `${pc.yellow('warning:')} ${oneLine(warning)}`));
    if (near.length === 0) continue;
    const lines = await Promise.all(near.map(async ({ id, similarity }) => nearLine(await contentOf(memories, id), { id, similarity })));
    remarks.push('Nearly the same, and kept:', ...lines, `Where one of them is not needed: ${bin} forget <id>`);
  }
  return remarks;
}

function nearLine(content: string, { id, similarity }: { id: string; similarity: number }): string {
  return fit(`  ${similarity.toFixed(2)}  ${id}  ${oneLine(content)}`.trimEnd(), lineWidth());
}

/** Empty where the entry went away meanwhile. */
async function contentOf(memories: Pick<MemoryOperations, 'get'>, id: string): Promise<string> {
  const entry: Entry | undefined = await memories.get(id).catch(() => undefined);
  return entry === undefined ? '' : (entry.summary ?? entry.content);
}
