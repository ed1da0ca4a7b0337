import { z } from 'zod';
import type { JsonPath, JsonValue } from './json-text.ts';

/** Names and positions from the root of a JSON or TOML document. */
export const Path = z.array(z.union([z.string(), z.number()])).readonly();
const Json: z.ZodType<JsonValue> = z.json();

/** One piece that setup adds to a client's file and teardown removes. Stored in the journal of edits. */
export const Part = z.discriminatedUnion('kind', [
  /** A JSON member, found by its name. */
  z.strictObject({ kind: z.literal('member'), id: z.string(), path: Path, value: Json }),
  /** An element of a JSON array, found by the event and the client in its command. `value` holds the command, or a `hooks` array with it. */
  z.strictObject({ kind: z.literal('hook'), id: z.string(), path: Path, value: Json, event: z.string(), client: z.string() }),
  /** A JSON member that the client requires, set only if it is missing. */
  z.strictObject({ kind: z.literal('preset'), id: z.string(), path: Path, value: Json }),
  /** Markdown between our markers. */
  z.strictObject({ kind: z.literal('markdown'), id: z.string(), text: z.string() }),
  /** A TOML table between our markers. The file must then have `value` at `path`. */
  z.strictObject({ kind: z.literal('toml'), id: z.string(), text: z.string(), path: Path, value: Json }),
  /** A file with no other content. */
  z.strictObject({ kind: z.literal('whole'), id: z.string(), text: z.string() }),
]);
export type Part = z.output<typeof Part>;

/** Whether a part belongs to a plugin. */
export const isOfPlugin = ({ id }: Part): boolean => id.startsWith('plugin ');

/** The part of one kind. */
export type PartOf<K extends Part['kind']> = Extract<Part, { kind: K }>;

/** Edits a part in the text of a file. Every method takes a text without byte order mark; none changes a file. */
export interface Editor {
  /** What `find` returns if the part is present and current. */
  readonly wanted: string;
  /** Why the part cannot be added to the text; undefined if it can. */
  fault(text: string): string | undefined;
  /** The current content of the part, comparable with `wanted`; undefined if it is absent. */
  find(text: string): string | undefined;
  /** Names of fields that others added to the part. They are removed with it. */
  added?(text: string): readonly string[];
  /** Text for the user to add by hand if the part cannot be added. Default: the part alone. */
  byHand?(text: string): string | undefined;
  /** Whether setup wrote the found content, on any machine. */
  isOurs(found: string): boolean;
  /** Adds or replaces the part. */
  put(text: string): string;
  /** Removes the part; its containers stay. */
  take(text: string): string;
  /** The JSON members and arrays that `put` would create, outermost first; none for other formats. */
  makes(text: string): JsonPath[];
}
