import { z } from 'zod';
import type { JsonPath, JsonValue } from './json-text.ts';

/** Names and positions from the root of a JSON or TOML document. */
export const Path = z.array(z.union([z.string(), z.number()])).readonly();
const Json: z.ZodType<JsonValue> = z.json();

/** One thing that setup puts into a file of a client and that teardown takes out again; kept as it is in the journal of edits. */
export const Part = z.discriminatedUnion('kind', [
  /** A JSON member, found by its name. */
  z.strictObject({ kind: z.literal('member'), id: z.string(), path: Path, value: Json }),
  /** An element of a JSON array, found by the event and the client in its command. `value` holds the command, or a `hooks` array with it. */
  z.strictObject({ kind: z.literal('hook'), id: z.string(), path: Path, value: Json, event: z.string(), client: z.string() }),
  /** A JSON member that the client demands, set only where it is missing. */
  z.strictObject({ kind: z.literal('preset'), id: z.string(), path: Path, value: Json }),
  /** Lines of Markdown between our marks. */
  z.strictObject({ kind: z.literal('markdown'), id: z.string(), text: z.string() }),
  /** A TOML table between our marks; `path` and `value` say what the file must hold afterwards. */
  z.strictObject({ kind: z.literal('toml'), id: z.string(), text: z.string(), path: Path, value: Json }),
  /** A file that is ours from the first byte to the last. */
  z.strictObject({ kind: z.literal('whole'), id: z.string(), text: z.string() }),
]);
export type Part = z.output<typeof Part>;

/** Whether a part is a file of a plugin, not of a client. */
export const isOfPlugin = ({ id }: Part): boolean => id.startsWith('plugin ');

/** The one kind of a part. */
export type PartOf<K extends Part['kind']> = Extract<Part, { kind: K }>;

/** What can be done with a part in the text of a file. Every method takes a text without byte order mark and returns a new one. */
export interface Editor {
  /** The part as `find` returns it where it is in place and as it should be. */
  readonly wanted: string;
  /** Why this part cannot be put into the text, in words; undefined where it can. */
  fault(text: string): string | undefined;
  /** What stands in the place of the part, in a form that can be compared with `wanted`; undefined where nothing does. */
  find(text: string): string | undefined;
  /** What someone else added to the part: it goes with it. */
  added?(text: string): readonly string[];
  /** What to put into a text by hand where this part cannot be put into it. Default: the part as it would stand alone. */
  byHand?(text: string): string | undefined;
  /** Whether what was found was written by some setup, on whatever machine. */
  isOurs(found: string): boolean;
  /** Adds the part, or puts it in the place of what stands there. */
  put(text: string): string;
  /** Removes what stands in the place of the part; containers stay. */
  take(text: string): string;
  /** The JSON members and arrays that `put` would have to make, outermost first; none for other formats. */
  makes(text: string): JsonPath[];
}
