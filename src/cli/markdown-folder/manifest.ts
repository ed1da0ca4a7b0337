import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import { LoreError } from '../../memory/errors.ts';

/** Name of the manifest of an export, which detects edited and removed files. */
export const MANIFEST = '.lore-export.json';
const FORMAT = 1;

const ExportedFile = z.object({ id: z.string(), updated: z.string(), hash: z.string() });
const ManifestSchema = z.object({
  lore: z.object({ markdown: z.number() }),
  namespace: z.string().optional(),
  files: z.record(z.string(), ExportedFile),
});

/** A file at the last common state of folder and store. */
export type ExportedFile = z.output<typeof ExportedFile>;

export interface Manifest {
  /** Set for an export of one namespace. */
  readonly namespace?: string | undefined;
  /** By path, with `/`. */
  readonly files: ReadonlyMap<string, ExportedFile>;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * The manifest of the last export or import of a folder; undefined if there is none, or if it cannot be read (two branches may have been
 * merged in it).
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  let parsed;
  try {
    parsed = ManifestSchema.safeParse(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (!parsed.success) return undefined;
  if (parsed.data.lore.markdown > FORMAT) {
    throw new LoreError('invalid_input', `${join(folder, MANIFEST)} is of a later version of Lore.`, {
      hint: 'Use the version that wrote it, or a later one.',
    });
  }
  return { namespace: parsed.data.namespace, files: new Map(Object.entries(parsed.data.files).filter(([path]) => isBelow(path))) };
}

/** The manifest may be from someone else, so paths outside of its folder are never read, written or removed. */
const isBelow = (path: string): boolean =>
  path.endsWith('.md') && !/[\\:]|^\/|\p{Cc}/u.test(path) && path.split('/').every((part) => part !== '..' && part !== '' && part !== '.');

/** One line per file, by path, so that git can merge most changes. */
export async function writeManifest(folder: string, { namespace, files }: Manifest): Promise<void> {
  const lines = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { id, updated, hash }]) => `    ${JSON.stringify(path)}: ${JSON.stringify({ id, updated, hash })}`);
  const scope = namespace === undefined ? '' : `  "namespace": ${JSON.stringify(namespace)},\n`;
  await writeInside(
    folder,
    MANIFEST,
    `{\n  "lore": { "markdown": ${FORMAT} },\n${scope}  "files": {${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}}\n}\n`,
  );
}

/** Writes a file in a folder atomically. Rejects with `filesystem` if a symbolic link leads elsewhere. */
export async function writeInside(folder: string, path: string, text: string): Promise<void> {
  const target = await insidePath(folder, path);
  const draft = join(dirname(target), `.lore-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new LoreError(
      'filesystem',
      `${join(folder, path)} cannot be written: ${(cause as NodeJS.ErrnoException).code ?? 'unknown reason'}.`,
      { cause },
    );
  }
}

/** The path of a file in a folder; creates its parent folder. */
export async function insidePath(folder: string, path: string): Promise<string> {
  const target = join(folder, path);
  const refuse = (why: string, cause?: unknown): LoreError =>
    new LoreError('filesystem', `${target} cannot be written: ${why}.`, { cause });
  await mkdir(dirname(target), { recursive: true }).catch((cause: unknown) => {
    throw refuse('its folder cannot be made', cause);
  });
  const [root, parent] = await Promise.all([realpath(folder), realpath(dirname(target))]);
  if (parent !== root && !parent.startsWith(root + sep)) throw refuse('a symbolic link leads out of the folder');
  const existing = await lstat(target).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) throw refuse('its name belongs to something other than a file');
  return target;
}
