import { fieldsWith, type EntryField, type FieldsWith } from '../../memory/entry-fields.ts';
import { FILE_SOURCES, isOfFile, type Entry, type EntryFilter } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { isPending } from '../../memory/pending.ts';

/**
 * A SQL string literal. LanceDB has no bound parameters; doubling the single quote is all its parser needs (a backslash is literal).
 * A lone surrogate would silently become U+FFFD and match another row, so it is refused.
 */
export function literal(value: string): string {
  if (!value.isWellFormed()) throw new LoreError('invalid_input', 'Text must be well-formed Unicode.');
  return `'${value.replaceAll("'", "''")}'`;
}

/** `column IN (…)`, or `=` for one value. */
export function oneOf(column: string, values: readonly string[]): string {
  if (values.length === 1) return `${column} = ${literal(values[0]!)}`;
  return `${column} IN (${values.map(literal).join(', ')})`;
}

/** Rows whose `column` differs from `value`, or whose `filled` column is empty. */
export function differsOrIsEmpty({
  column,
  value,
  filled,
}: {
  readonly column: string;
  readonly value: string;
  readonly filled: string;
}): string {
  return `${column} != ${literal(value)} OR ${filled} IS NULL`;
}

/** Entries with any of these entities, using the index. */
export function hasAnyEntity(names: readonly string[]): string {
  if (names.length === 1) return `array_has(entities, ${literal(names[0]!)})`;
  return `array_has_any(entities, [${names.map(literal).join(', ')}])`;
}

/** Entries whose whole content is this text, ignoring letter case and white space. */
export function isSameText(text: string): string {
  const words = text.normalize('NFC').split(/\s+/).filter(Boolean);
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|#&~-]/g, String.raw`\$&`)).join(String.raw`\s+`);
  return `regexp_like(content, ${literal(String.raw`^\s*${pattern}\s*$`)}, 'i')`;
}

/** Entries whose search text contains this one. */
export function containsStream(stream: string): string {
  return `contains(search_text, ${literal(stream)})`;
}

/** 32-bit numbers are shown with six digits: a limit equal to the shown value includes the entry. */
const FLOAT32_SLACK = 5e-7;
const columnOf = ({ column }: EntryField): string => column![0];
const IS = fieldsWith({ filter: 'is' }).map(([name, field]) => ({ name, column: columnOf(field) }));
const RANGES = fieldsWith({ filter: 'range' }).map(([name, field]) => ({
  name,
  column: columnOf(field),
  slack: field.column?.[1] === 'float32' ? FLOAT32_SLACK : 0,
}));

/** The predicate of a filter, or undefined if every row passes. The only place that turns values into SQL. */
export function predicate(filter: EntryFilter, more: readonly string[] = []): string | undefined {
  const parts: string[] = [];
  if (filter.namespaces !== undefined) parts.push(oneOf('namespace', filter.namespaces));
  for (const { name, column } of IS) if (filter[name] !== undefined) parts.push(oneOf(column, [filter[name]]));
  // array_has_all(tags, []) would be true for every row, like an absent filter.
  if (filter.tags !== undefined && filter.tags.length > 0) parts.push(`array_has_all(tags, [${filter.tags.map(literal).join(', ')}])`);
  if (filter.kind !== undefined) parts.push(`${filter.kind === 'memory' ? 'NOT ' : ''}(${oneOf('source', FILE_SOURCES)})`);
  for (const { name, column, slack } of RANGES) {
    const { min, max } = filter[name] ?? {};
    if (min !== undefined) parts.push(`${column} >= ${finite(min - slack)}`);
    if (max !== undefined) parts.push(`${column} <= ${finite(max + slack)}`);
  }
  // Timestamps are shown in whole milliseconds and stored with finer ones, so "after" begins with the next whole one.
  if (filter.createdAfter !== undefined) parts.push(`created_at >= ${finite(filter.createdAfter + 1)}`);
  if (filter.createdBefore !== undefined) parts.push(`created_at < ${finite(filter.createdBefore)}`);
  if (filter.current === true) parts.push(`status = ${literal('active')}`);
  if (filter.pending === true) parts.push(`source = ${literal('auto-capture')} AND updated_at = created_at`);
  // A character that sorts after every character of an id.
  if (filter.idPrefix !== undefined) parts.push(`id >= ${literal(filter.idPrefix)} AND id < ${literal(`${filter.idPrefix}~`)}`);
  const all = [...parts, ...more];
  return all.length === 0 ? undefined : all.join(' AND ');
}

/** The fields of an entry that filters use. */
export type Filterable = Pick<Entry, 'id' | 'namespace' | 'tags' | 'createdAt' | FieldsWith<{ filter: 'is' } | { filter: 'range' }>> & {
  readonly superseded?: boolean | undefined;
  /** Missing for an entry that no longer exists. */
  readonly updatedAt?: number | undefined;
};

/** Evaluates a filter for an entry in memory; always agrees with `predicate`. */
export const passes = (filter: EntryFilter, entry: Filterable): boolean => meets(filter, entry, ALL);

/** Returns a function like `passes` for many entries. */
export function matching(filter: EntryFilter): (entry: Filterable) => boolean {
  const named = ({ name }: { readonly name: keyof EntryFilter }): boolean => filter[name] !== undefined;
  const fields = { is: IS.filter(named), ranges: RANGES.filter(named) };
  return (entry) => meets(filter, entry, fields);
}

const ALL = { is: IS, ranges: RANGES };

function meets(filter: EntryFilter, entry: Filterable, { is, ranges }: typeof ALL): boolean {
  if (filter.current === true && entry.superseded === true) return false;
  if (filter.pending === true && !isPending({ ...entry, updatedAt: entry.updatedAt ?? Infinity })) return false;
  const { namespaces, tags, kind, createdAfter, createdBefore, idPrefix } = filter;
  if (idPrefix !== undefined && !entry.id.startsWith(idPrefix)) return false;
  if (namespaces !== undefined && !namespaces.includes(entry.namespace)) return false;
  if (tags !== undefined && !tags.every((tag) => entry.tags.includes(tag))) return false;
  for (const { name } of is) if (filter[name] !== undefined && entry[name] !== filter[name]) return false;
  if (kind !== undefined && isOfFile(entry) !== (kind === 'file')) return false;
  for (const { name, slack } of ranges) {
    const limits = filter[name];
    if (limits !== undefined && !isWithin(entry[name], limits, slack)) return false;
  }
  if (createdAfter !== undefined && entry.createdAt < createdAfter + 1) return false;
  return createdBefore === undefined || entry.createdAt < createdBefore;
}

/** An entry without a value is in no range, like null in the table. */
function isWithin(value: number | undefined, { min = -Infinity, max = Infinity }: { min?: number; max?: number }, slack: number): boolean {
  return value !== undefined && value >= min - slack && value <= max + slack;
}

function finite(value: number): string {
  if (!Number.isFinite(value)) throw new LoreError('invalid_input', 'A number in the filter is not finite.');
  return String(value);
}
