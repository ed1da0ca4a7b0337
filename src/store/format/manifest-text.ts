/** Parses the part of a LanceDB manifest that names the files of rows: a protocol buffer before a footer of 16 bytes. */
import { FOOTER_BYTES, LENGTH_BYTES } from './manifests.ts';

/** A fragment of a table: its data files and its deletion file. */
export interface Fragment {
  readonly id: number;
  /** Below the folder of the table, with `/`. */
  readonly files: readonly string[];
  readonly deletions: { readonly file: string; readonly rows: number } | undefined;
  /** Number of rows, including deleted ones. */
  readonly rows: number;
  /** The fragment as encoded in the manifest. */
  readonly bytes: Buffer;
}

/** One field of a protocol buffer. */
interface Field {
  readonly number: number;
  /** Undefined for text, bytes or a message. */
  readonly value: bigint | undefined;
  readonly content: Buffer;
  /** Including its tag and its length. */
  readonly bytes: Buffer;
}

const MANIFEST = { fragment: 2, indexes: 6 } as const;
const FRAGMENT = { id: 1, file: 2, deletions: 3, rows: 4 } as const;
const FILE = { path: 1 } as const;
const DELETIONS = { kind: 1, version: 2, id: 3, rows: 4 } as const;

/** The fragments of a version. Throws if the text is not a manifest. */
export function fragmentsOf(manifest: Buffer): Fragment[] {
  return fieldsOf(textOf(manifest))
    .filter(({ number }) => number === MANIFEST.fragment)
    .map(({ content }) => fragmentOf(content));
}

/**
 * The manifest of the same version with only this fragment, or none, and without indexes. `withDeletions` keeps the deletions of the
 * fragment.
 */
export function manifestWith(
  manifest: Buffer,
  fragment: Fragment | undefined,
  { withDeletions }: { readonly withDeletions: boolean },
): Buffer {
  const rest = fieldsOf(textOf(manifest)).filter(({ number }) => number !== MANIFEST.fragment && number !== MANIFEST.indexes);
  const parts = rest.map(({ bytes }) => bytes);
  if (fragment !== undefined) {
    const kept = fieldsOf(fragment.bytes).filter(({ number }) => withDeletions || number !== FRAGMENT.deletions);
    parts.push(message(MANIFEST.fragment, Buffer.concat(kept.map(({ bytes }) => bytes))));
  }
  const text = Buffer.concat(parts);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([manifest.subarray(0, startOf(manifest)), length, text, manifest.subarray(-FOOTER_BYTES)]);
}

const startOf = (manifest: Buffer): number => Number(manifest.readBigUInt64LE(manifest.length - FOOTER_BYTES));

function textOf(manifest: Buffer): Buffer {
  const start = startOf(manifest);
  return manifest.subarray(start + LENGTH_BYTES, start + LENGTH_BYTES + manifest.readUInt32LE(start));
}

function fragmentOf(bytes: Buffer): Fragment {
  const fields = fieldsOf(bytes);
  const id = numberIn(fields, FRAGMENT.id);
  const files = fields
    .filter(({ number }) => number === FRAGMENT.file)
    .map(
      ({ content }) =>
        `data/${
          fieldsOf(content)
            .find(({ number }) => number === FILE.path)
            ?.content.toString() ?? ''
        }`,
    );
  const deletions = fields.find(({ number }) => number === FRAGMENT.deletions);
  return { id, files, deletions: deletions && deletionsOf(id, deletions.content), rows: numberIn(fields, FRAGMENT.rows), bytes };
}

function deletionsOf(fragment: number, content: Buffer): NonNullable<Fragment['deletions']> {
  const fields = fieldsOf(content);
  const [version, id] = [bigIn(fields, DELETIONS.version), bigIn(fields, DELETIONS.id)];
  const ending = numberIn(fields, DELETIONS.kind) === 0 ? 'arrow' : 'bin';
  return { file: `_deletions/${fragment}-${version}-${id}.${ending}`, rows: numberIn(fields, DELETIONS.rows) };
}

const bigIn = (fields: readonly Field[], wanted: number): bigint => fields.find(({ number }) => number === wanted)?.value ?? 0n;
const numberIn = (fields: readonly Field[], wanted: number): number => Number(bigIn(fields, wanted));

/** The fields of a message, in order. Throws if it is none. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const tag = varint(bytes, at);
    const kind = Number(tag.value & 7n);
    const value = kind === 0 || kind === 2 ? varint(bytes, tag.end) : undefined;
    const begin = value?.end ?? tag.end;
    const length = kind === 0 ? 0 : kind === 1 ? 8 : kind === 5 ? 4 : Number(value?.value ?? -1n);
    at = begin + length;
    if (length < 0 || at > bytes.length) throw new RangeError('this is no message');
    fields.push({
      number: Number(tag.value >> 3n),
      value: kind === 0 ? value?.value : undefined,
      content: bytes.subarray(begin, at),
      bytes: bytes.subarray(start, at),
    });
  }
  return fields;
}

/** A varint: seven bits per byte, the lowest first; the eighth bit says that more follow. */
function varint(bytes: Buffer, from: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = from; at < from + 10; at += 1) {
    const byte = bytes.readUInt8(at);
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new RangeError('this is no number');
}

function message(number: number, content: Buffer): Buffer {
  const head: number[] = [];
  for (const value of [number * 8 + 2, content.length]) {
    let left = value;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) head.push((left % 0x80) | 0x80);
    head.push(left);
  }
  return Buffer.concat([Buffer.from(head), content]);
}
