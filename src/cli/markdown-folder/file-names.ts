import { createHash } from 'node:crypto';

const MAX_SLUG_CHARS = 48;
const MAX_FOLDER_CHARS = 80;
/** Names reserved by Windows, with any extension, and a folder that imports skip. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|node_modules)(?:\.|$)/i;
const SAFE = /^[\p{L}\p{N}_@+][\p{L}\p{N}_.@+-]*$/u;

/**
 * The folder of a namespace, with `/`: its name if it is valid on every system, else a cleaned name with a short hash. Always inside of the
 * export.
 */
export function folderName(namespace: string): string {
  const parts = namespace.split('/');
  const isSafe = parts.every(
    (part) => SAFE.test(part) && part.length <= MAX_FOLDER_CHARS && !/(?:\.|\.md)$/i.test(part) && !RESERVED.test(part),
  );
  if (isSafe) return namespace;
  const hash = createHash('sha256').update(namespace).digest('hex').slice(0, 8);
  return `${slug(namespace.replaceAll('/', ' ')) || 'namespace'}-${hash}`;
}

/** The file name of an entry: the beginning of its text and the end of its id, which makes it unique and never a reserved name. */
export function fileName({ id, content }: { readonly id: string; readonly content: string }): string {
  const first = content.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
  return `${slug(first) || 'entry'}-${id.replaceAll('-', '').slice(-12)}.md`;
}

function slug(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .slice(0, 400)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  const chars = Array.from(words);
  if (chars.length <= MAX_SLUG_CHARS) return words;
  return chars
    .slice(0, MAX_SLUG_CHARS)
    .join('')
    .replace(/-[^-]{0,12}$/, '')
    .replace(/-+$/, '');
}
