import { LoreError } from '../../memory/errors.ts';
import type { Findings } from '../../sources/readers/findings.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { jsonValue } from '../../sources/readers/json-text.ts';
import type { Input } from './input.ts';

/** A JSON object of the input, or the reason why it is invalid. */
export type FoundRecord = { readonly place: string } & ({ readonly record: JsonRecord } | { readonly problem: string });

/** The whole document. Rejects with `invalid_input` if it is not JSON. */
export async function documentOf(input: Input): Promise<unknown> {
  if (input.shape === 'document' && input.first !== undefined) return input.first;
  const value = jsonValue(await input.text());
  if (value === undefined) throw new LoreError('invalid_input', `${input.name} is not valid JSON.`);
  return value;
}

/** The list under the first key that has one; an object counts as the list of its values. An array is the list itself. */
export function listIn(
  document: unknown,
  keys: readonly string[],
): { readonly key: string; readonly list: readonly unknown[] } | undefined {
  if (Array.isArray(document)) return { key: '', list: document };
  if (!isRecord(document)) return undefined;
  for (const key of keys) {
    const value = document[key];
    if (Array.isArray(value)) return { key, list: value };
    if (isRecord(value)) return { key, list: Object.values(value) };
  }
  return undefined;
}

/** The first records of an input, to detect the format: from a document, or from the first line. */
export function firstRecords(input: Input, keys: readonly string[]): readonly JsonRecord[] {
  if (input.shape === 'lines') return isRecord(input.first) ? [input.first] : [];
  if (input.shape !== 'document') return [];
  return (listIn(input.first, keys)?.list ?? []).slice(0, 20).filter(isRecord);
}

/**
 * Every record of a document that keeps them under one of the keys, or of JSON Lines. Other parts of the document are recorded as left
 * out, except `read`.
 */
export async function* recordsOf(
  input: Input,
  keys: readonly string[],
  findings: Findings,
  read: readonly string[] = [],
): AsyncGenerator<FoundRecord> {
  if (input.shape === 'lines') {
    yield* lineRecords(await input.text(), input.name);
    return;
  }
  const document = await documentOf(input);
  const found = listIn(document, keys);
  if (found === undefined) {
    throw new LoreError('invalid_input', `${input.name} has no list of entries.`, {
      hint: `Lore reads an array, or one under ${keys.join(', ')}.`,
    });
  }
  if (isRecord(document)) recordOmittedLists(document, new Set([found.key, ...read]), findings);
  yield* listRecords(found.list, `${input.name} entry`);
}

/** Records of all these lists in a document, or the result of `recordsOf` if it has none. */
export async function* recordsOfAll(input: Input, lists: readonly string[], findings: Findings): AsyncGenerator<FoundRecord> {
  const document = input.shape === 'document' ? await documentOf(input) : undefined;
  const held = isRecord(document) ? lists.filter((key) => Array.isArray(document[key])) : [];
  if (!isRecord(document) || held.length === 0) {
    yield* recordsOf(input, lists, findings);
    return;
  }
  recordOmittedLists(document, new Set(held), findings);
  for (const key of held) yield* listRecords(document[key] as unknown[], `${input.name} ${key}`);
}

/** The records of a list, at `place 1`, `place 2` and so on. */
export function* listRecords(list: readonly unknown[], place: string): Generator<FoundRecord> {
  for (const [at, value] of list.entries()) {
    const here = `${place} ${at + 1}`;
    yield isRecord(value) ? { place: here, record: value } : { place: here, problem: 'must be a JSON object' };
  }
}

function* lineRecords(text: string, name: string): Generator<FoundRecord> {
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `${name}:${at + 1}`;
    const value = jsonValue(line);
    if (isRecord(value)) yield { place, record: value };
    else yield { place, problem: value === undefined ? 'is not valid JSON' : 'must be a JSON object' };
  }
}

/** Records the lists of a document that are not imported. */
export function recordOmittedLists(document: JsonRecord, taken: ReadonlySet<string>, findings: Findings): void {
  for (const [key, value] of Object.entries(document)) {
    if (taken.has(key) || typeof value !== 'object' || value === null) continue;
    const amount = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (amount > 0) findings.leaveOut(key, undefined, amount);
  }
}

/** A statement about a subject, as a text that is clear on its own. */
export function statementAbout(name: string, statement: string): string {
  const text = statement.toLowerCase();
  const isNamed = [name, name.replaceAll('_', ' ')].some((word) => text.includes(word.toLowerCase()));
  return isNamed ? statement : `${name}: ${statement}`;
}
