import { stdoutColors as pc } from './colors.ts';
import type { Entry } from '../../memory/entry.ts';
import type { EmbedderReport, EntryPage } from '../../memory/operations/operations.ts';
import { passageLocation } from '../../memory/passage-location.ts';
import type { Relation } from '../../memory/relation.ts';
import { amount, facts, moment, oneLine, printable, table, terminalWidth } from './output.ts';
import { relationFrom } from './relation-words.ts';
import { fit } from './text-width.ts';

/** Below this width, a table leaves no room for the content next to the id. */
const TABLE_COLUMNS = 100;

/** A page of a list: a table, or two lines per entry on a narrow terminal, with its position in the list. */
export function formatPage(page: EntryPage, options: { allNamespaces: boolean }): string {
  if (page.entries.length === 0)
    return page.total === 0 ? 'No entries.' : `No entries from ${page.offset + 1} on; there are ${page.total}.`;
  const width = terminalWidth();
  const isNarrow = width !== undefined && width < TABLE_COLUMNS;
  const entries = isNarrow ? page.entries.map((entry) => shortEntry(entry, width)).join('\n') : entryTable(page.entries, options);
  const last = page.offset + page.entries.length;
  const all = amount(page.total, 'entry', 'entries');
  return `${entries}\n${pc.dim(page.entries.length < page.total ? `${page.offset + 1} to ${last} of ${all}` : all)}`;
}

function entryTable(entries: readonly Entry[], { allNamespaces }: { allNamespaces: boolean }): string {
  const namespace = allNamespaces ? [{ title: 'NAMESPACE', shrinkTo: 10 }] : [];
  const columns = [{ title: 'ID' }, { title: 'CREATED' }, ...namespace, { title: 'TAGS', shrinkTo: 8 }, { title: 'CONTENT', shrinkTo: 12 }];
  const rows = entries.map((entry) => [
    entry.id,
    moment(entry.createdAt),
    ...(allNamespaces ? [entry.namespace] : []),
    entry.tags.join(', '),
    `${entry.superseded ? '(superseded) ' : ''}${entry.summary ?? entry.content}`,
  ]);
  return table(columns, rows);
}

function shortEntry(entry: Entry, width: number): string {
  return `${fit(oneLine(entry.summary ?? entry.content), width)}\n${aboutLine(entry, '  ', width)}`;
}

/** One dimmed line about an entry: id, position of a passage, day, namespace, tags. */
export function aboutLine(entry: Entry, indent: string, width: number): string {
  const marks = [...(entry.superseded ? ['superseded'] : []), ...entry.tags.map((tag) => `#${tag}`)];
  const about = [entry.id, ...[passageLocation(entry) ?? []].flat(), moment(entry.createdAt), entry.namespace, ...marks]
    .map(oneLine)
    .join('  ');
  return pc.dim(fit(indent + about, width));
}

/** One entry in full, with its relations. */
export function formatEntry(entry: Entry, relations: readonly Relation[]): string {
  const about = facts([
    ['Id', entry.id],
    ['Namespace', entry.namespace],
    ['Container', entry.container === entry.namespace ? undefined : entry.container],
    ['Tags', entry.tags.join(', ')],
    ['Entities', entry.entities?.join(', ')],
    ['Priority', entry.priority],
    ['Importance', entry.importance.toFixed(2)],
    ['Source', [entry.source, entry.sourceRef === undefined ? '' : JSON.stringify(entry.sourceRef)].join(' ').trim()],
    ['Created', moment(entry.createdAt)],
    ['Updated', entry.updatedAt === entry.createdAt ? undefined : moment(entry.updatedAt)],
    [
      'Recalled',
      entry.recalls === undefined
        ? undefined
        : `${amount(entry.recalls, 'time', 'times')}, last ${moment(entry.lastRecalledAt ?? entry.updatedAt)}`,
    ],
    ['Superseded', entry.superseded ? 'a newer entry replaces it' : undefined],
    ...relations.map((relation, at) => [at === 0 ? 'Relations' : '', relationFrom(relation, entry.id)] as const),
  ]);
  return `${about}\n\n${printable(entry.content)}`;
}

/** The active embedder, and the configured one that it replaces for now. */
export function formatEmbedder(report: EmbedderReport): string {
  const progress = report.progress === undefined ? '' : ` ${Math.round(report.progress * 100)} %`;
  const standIn = report.standsInFor === undefined ? '' : `, stands in for ${report.standsInFor}`;
  return `${report.provider} ${report.model} (${report.dimensions} dimensions, ${report.state}${progress}${standIn})`;
}
