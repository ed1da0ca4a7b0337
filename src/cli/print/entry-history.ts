import type { EntryState } from '../../memory/lifecycle.ts';
import type { EntryHistory } from '../../memory/operations/lifecycle-operations.ts';
import { stdoutColors as pc } from './colors.ts';
import { lineDiff } from './line-diff.ts';
import { moment, oneLine, printable } from './output.ts';

/** The changes and who made them, latest first: each changed field, and for the content the changed lines. */
export function formatHistory({ entry, versions }: EntryHistory): string {
  const states: readonly EntryState[] = [entry, ...versions.map(({ state }) => state)];
  const changes = versions.map(({ replacedAt, replacedBy }, nth) => {
    const what = changesBetween(states[nth + 1]!, states[nth]!);
    return [`${pc.bold(moment(replacedAt))} changed by ${replacedBy}`, ...what.map((line) => `  ${line}`)].join('\n');
  });
  return [...changes, `${pc.bold(moment(entry.createdAt))} saved by ${entry.source}`].join('\n');
}

function changesBetween(before: EntryState, after: EntryState): string[] {
  const fields = [
    ['tags', before.tags.join(', '), after.tags.join(', ')],
    ['priority', before.priority, after.priority],
    ['importance', before.importance.toFixed(2), after.importance.toFixed(2)],
    ['namespace', before.namespace, after.namespace],
    ['container', before.container, after.container],
  ] as const;
  const changed = fields.flatMap(([name, was, is]) => (was === is ? [] : [`${name}: ${shown(was)} -> ${shown(is)}`]));
  return [...changed, ...lineDiff(before.content, after.content).map(painted)];
}

const shown = (text: string): string => (text === '' ? '(none)' : oneLine(text));

function painted(line: string): string {
  const safe = printable(line);
  if (line.startsWith('+')) return pc.green(safe);
  return line.startsWith('-') ? pc.red(safe) : pc.dim(safe);
}
