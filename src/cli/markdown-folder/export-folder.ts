import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import type { ExportedEntry, ExportLine } from '../../memory/operations/operations.ts';
import { editOf, entryFile, readEntryFile } from './entry-file.ts';
import { fileName, folderName } from './file-names.ts';
import { hashOf, insidePath, readManifest, writeInside, writeManifest, type ExportedFile, type Manifest } from './manifest.ts';

const NAMED = 5;
const OF_FILES: ReadonlySet<string> = new Set(['index', 'ingest']);

interface ExportedFolder {
  readonly entries: number;
  readonly written: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Passages of indexed and ingested files, which are not exported: they have their own files. */
  readonly passages: number;
}

interface Options {
  readonly namespace?: string | undefined;
  /** Overwrites files that were edited and not imported. */
  readonly force: boolean;
  readonly onEntry: () => void;
}

interface ExportSelection {
  readonly id: string;
  readonly updated: string;
  readonly text: string;
}

/**
 * Writes one file per entry, in one folder per namespace, and removes files of deleted entries. The same entries give the same bytes.
 * Rejects with `conflict`, before writing, if a file has edits that were not imported.
 */
export async function exportFolder(folder: string, lines: AsyncIterable<ExportLine>, options: Options): Promise<ExportedFolder> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new LoreError('filesystem', `${folder} cannot be made.`, { cause });
  });
  const { namespace } = options;
  const before = [...((await readManifest(folder))?.files ?? [])];
  const { wanted, passages } = await wantedFiles(lines, { files: new Map(before) }, options);
  const ids = new Set([...wanted.values()].map(({ id }) => id));
  // An export of one namespace leaves the files of others unchanged.
  const isOther = ([path, { id }]: readonly [string, ExportedFile]): boolean =>
    namespace !== undefined && dirname(path) !== folderName(namespace) && !ids.has(id);
  const others = before.filter(isOther);
  const manifest: Manifest = { files: new Map(before.filter((file) => !isOther(file))) };
  const edited = options.force ? [] : await editedFiles(folder, manifest, wanted);
  if (edited.length > 0) {
    const more = edited.length > NAMED ? ` and ${edited.length - NAMED} more` : '';
    throw new LoreError('conflict', `Files have edits that were not imported: ${edited.slice(0, NAMED).join(', ')}${more}.`, {
      hint: `Run \`lore import\` on the folder first, or use --force to overwrite them.`,
    });
  }
  let written = 0;
  const files = new Map<string, ExportedFile>(others);
  for (const [path, { id, updated, text }] of wanted) {
    const hash = hashOf(text);
    files.set(path, { id, updated, hash });
    if ((await textAt(folder, path)) === text) continue;
    await writeInside(folder, path, text);
    written += 1;
  }
  let removed = 0;
  for (const path of manifest.files.keys()) {
    if (wanted.has(path) || (await textAt(folder, path)) === undefined) continue;
    await rm(await insidePath(folder, path));
    removed += 1;
    await removeEmpty(folder, dirname(path));
  }
  await writeManifest(folder, { namespace: others.length === 0 ? namespace : undefined, files });
  return { entries: wanted.size, written, removed, unchanged: wanted.size - written, passages };
}

/** The files of all entries by path. An entry with a file in the folder of its namespace keeps that file, even if its text changed. */
async function wantedFiles(lines: AsyncIterable<ExportLine>, { files }: Manifest, { onEntry }: Options) {
  const entries: ExportedEntry[] = [];
  let passages = 0;
  const supersedes = new Map<string, string[]>();
  for await (const line of lines) {
    if ('content' in line) {
      if (OF_FILES.has(line.metadata.source)) passages += 1;
      else entries.push(line);
      onEntry();
    } else if ('relation' in line && line.relation.type === 'supersedes') {
      const { sourceId, targetId } = line.relation;
      supersedes.set(sourceId, [...(supersedes.get(sourceId) ?? []), targetId]);
    }
  }
  const paths = new Map([...files].map(([path, { id }]) => [id, path]));
  const wanted = new Map<string, ExportSelection>();
  for (const entry of entries) {
    const inFolder = folderName(entry.metadata.namespace);
    const known = paths.get(entry.id);
    const path = known !== undefined && dirname(known) === inFolder ? known : `${inFolder}/${fileName(entry)}`;
    const { timestamp, updatedAt, ...metadata } = entry.metadata;
    const text = entryFile({
      ...metadata,
      id: entry.id,
      content: entry.content,
      created: timestamp,
      updated: updatedAt,
      supersedes: supersedes.get(entry.id) ?? [],
    });
    wanted.set(wanted.has(path) ? `${inFolder}/${entry.id}.md` : path, { id: entry.id, updated: updatedAt, text });
  }
  return { wanted, passages };
}

/** Files that match neither the last export nor the new one, and whose edits are not in the store. */
async function editedFiles(folder: string, { files }: Manifest, wanted: ReadonlyMap<string, ExportSelection>): Promise<string[]> {
  const edited: string[] = [];
  for (const path of new Set([...files.keys(), ...wanted.keys()])) {
    const text = await textAt(folder, path);
    if (text === undefined || text === wanted.get(path)?.text || hashOf(text) === files.get(path)?.hash) continue;
    if (!(await saysTheSame(text, wanted.get(path)?.text))) edited.push(path);
  }
  return edited;
}

/** For example, an editor changed its line breaks. */
async function saysTheSame(text: string, wanted: string | undefined): Promise<boolean> {
  if (wanted === undefined) return false;
  const [one, other] = await Promise.all([readEntryFile(text), readEntryFile(wanted)]);
  if ('problem' in one || 'problem' in other) return false;
  const { content, tags, namespace = '', container = namespace } = other;
  const stored = {
    ...STORED,
    content,
    tags,
    namespace,
    container,
    priority: (other.priority ?? 'normal') as 'normal',
    importance: other.importance ?? 0,
  };
  return one.id === other.id && editOf(one, stored) === undefined;
}
const STORED = { id: '', source: 'import', createdAt: 0, updatedAt: 0, contentHash: '' } as const;

async function textAt(folder: string, path: string): Promise<string | undefined> {
  return readFile(join(folder, path), 'utf8').catch(() => undefined);
}

async function removeEmpty(folder: string, below: string): Promise<void> {
  for (let at = below; at !== '.' && at !== ''; at = dirname(at)) {
    const names = await readdir(join(folder, at)).catch(() => ['?']);
    if (names.length > 0) return;
    await rmdir(join(folder, at));
  }
}
