import { RELATION_TYPES, type RelationType } from '../../memory/relation.ts';
import type { EntityReport, Graph, RelatedEntry, RelationPage } from '../../memory/operations/relation-operations.ts';
import { stdoutColors as pc } from './colors.ts';
import { aboutLine } from './entries.ts';
import { amount, lineWidth, moment, oneLine, table } from './output.ts';
import { relationWords } from './relation-words.ts';
import { fit } from './text-width.ts';

/** A page of relations as a table. */
export function formatRelations({ relations, total, offset }: RelationPage): string {
  if (relations.length === 0) return total === 0 ? 'No relations.' : `No relations from ${offset + 1} on; there are ${total}.`;
  const columns = [
    { title: 'SOURCE' },
    { title: 'TYPE' },
    { title: 'TARGET' },
    { title: 'STRENGTH', align: 'right' },
    { title: 'ORIGIN' },
    { title: 'CREATED' },
  ] as const;
  const rows = relations.map((one) => [one.sourceId, one.type, one.targetId, one.strength.toFixed(2), one.origin, moment(one.createdAt)]);
  const all = amount(total, 'relation', 'relations');
  const shown = relations.length < total ? `${offset + 1} to ${offset + relations.length} of ${all}` : all;
  return `${table(columns, rows)}\n${pc.dim(shown)}`;
}

/** The related entries, with the type of relation. */
export function formatRelated(related: readonly RelatedEntry[]): string {
  if (related.length === 0) return 'Nothing related.';
  const width = lineWidth();
  return related
    .map(({ entry, depth, relation }) => {
      const from = relation.sourceId === entry.id ? relation.targetId : relation.sourceId;
      const far = depth === 1 ? '' : `, ${depth} steps away`;
      return [
        `${pc.green(`${relationWords(relation, from)} ${relation.strength.toFixed(2)}`)}${far}`,
        fit(`  ${oneLine(entry.summary ?? entry.content)}`, width),
        aboutLine(entry, '  ', width),
      ].join('\n');
    })
    .join('\n');
}

/** Every node with its outgoing relations. */
export function formatGraph({ nodes, edges, truncated }: Graph): string {
  if (nodes.length === 0) return 'No relations.';
  const width = lineWidth();
  const labels = new Map(nodes.map(({ id, label }) => [id, oneLine(label)]));
  const lines = nodes.flatMap(({ id, label, superseded }) => [
    fit(`${oneLine(label)}${superseded ? ' (superseded)' : ''}`, width),
    pc.dim(`  ${id}`),
    ...edges
      .filter(({ sourceId }) => sourceId === id)
      .map(({ type, strength, targetId }) => fit(`  ${type} ${strength.toFixed(2)}  ${labels.get(targetId) ?? targetId}`, width)),
  ]);
  const counts = `${amount(nodes.length, 'entry', 'entries')}, ${amount(edges.length, 'relation', 'relations')}`;
  return [...lines, pc.dim(truncated ? `${counts}; there are more: --limit` : counts)].join('\n');
}

/** How Graphviz draws each type. */
const STYLES = {
  similar: 'dir=none, style=dotted',
  supersedes: 'color=red',
  references: 'color=gray',
  contradicts: 'color=orange, dir=both',
  elaborates: 'color=blue',
} as const satisfies Record<RelationType, string>;

/** The graph in the language of Graphviz, for `dot -Tsvg`. */
export function dotOf({ nodes, edges }: Graph): string {
  const quoted = (text: string): string => `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return [
    'digraph lore {',
    '  rankdir=LR; node [shape=box, style=rounded];',
    ...nodes.map(({ id, label, superseded }) => `  ${quoted(id)} [label=${quoted(label)}${superseded ? ', style="rounded,dashed"' : ''}];`),
    ...RELATION_TYPES.flatMap((wanted) =>
      edges
        .filter(({ type }) => type === wanted)
        .map(({ sourceId, targetId, type }) => `  ${quoted(sourceId)} -> ${quoted(targetId)} [label=${quoted(type)}, ${STYLES[type]}];`),
    ),
    '}',
  ].join('\n');
}

/** The most frequent names, or the entries with one name. */
export function formatEntities({ entities, entries }: EntityReport): string {
  const rows = entities.map(({ name, kind, entries: count }) => [name, kind, count.toLocaleString('en-US')]);
  const names =
    rows.length === 0
      ? 'No names.'
      : table([{ title: 'NAME', shrinkTo: 20 }, { title: 'KIND' }, { title: 'ENTRIES', align: 'right' }], rows);
  const width = lineWidth();
  const shown = entries.map((entry) => `${fit(oneLine(entry.summary ?? entry.content), width)}\n${aboutLine(entry, '  ', width)}`);
  return shown.length === 0 ? names : `${names}\n\n${shown.join('\n')}`;
}
