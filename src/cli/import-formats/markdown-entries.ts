import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { LoreError } from '../../memory/errors.ts';
import type { Entry } from '../../memory/entry.ts';
import type { ImportLine, MemoryOperations } from '../../memory/operations/operations.ts';
import type { Findings } from '../../sources/readers/findings.ts';
import type { Item } from '../../sources/readers/markdown-note.ts';
import { markdownFiles } from './markdown-folder.ts';
import { editOf, readEntryFile, type FileEntry } from '../markdown-folder/entry-file.ts';
import { folderName } from '../markdown-folder/file-names.ts';
import { hashOf, readManifest, writeManifest, type ExportedFile, type Manifest } from '../markdown-folder/manifest.ts';
import { archivedIds, storedEntries } from '../markdown-folder/stored.ts';

/** The result for files of existing entries. */
export interface FolderOutcome {
  readonly updated: number;
  readonly unchanged: number;
  /** Unedited files of entries that changed since. */
  readonly older: number;
  readonly forgotten: number;
  /** The first ten paths of files with edits. */
  readonly edited: readonly string[];
}

interface FolderImportOptions {
  readonly folder: string;
  readonly memories: MemoryOperations;
  readonly findings: Findings;
  readonly forgetMissing: boolean;
}

interface FoundFile {
  readonly path: string;
  readonly text: string;
  readonly file: FileEntry;
}

const NAMED = 10;
type Edit = NonNullable<ReturnType<typeof editOf>>;

/**
 * Imports a folder written by `lore export --markdown`: new files become entries, edited files change theirs, and entries that changed in
 * the store since are never overwritten.
 */
export class FolderImport {
  readonly #options: FolderImportOptions;
  readonly #edits: (FoundFile & { readonly id: string; readonly edit: Edit })[] = [];
  readonly #new = new Map<number, { readonly path: string; readonly text: string; readonly id: string; readonly updated: string }>();
  readonly #agreed = new Map<string, ExportedFile>();
  /** Every existing file, even an unreadable one. */
  readonly #present = new Set<string>();
  #manifest: Manifest | undefined;
  #missing: { readonly id: string; readonly path: string; readonly known: ExportedFile }[] = [];
  #unchanged = 0;
  #older = 0;
  #lines = 0;

  constructor(options: FolderImportOptions) {
    this.#options = options;
  }

  /** The entries of new files, and the problems of others. */
  async *items(): AsyncGenerator<Item> {
    for await (const item of this.#found()) {
      this.#lines += 1;
      yield item;
    }
  }

  async *#found(): AsyncGenerator<Item> {
    const { folder, memories } = this.#options;
    this.#manifest = await readManifest(folder);
    const files: FoundFile[] = [];
    for await (const found of this.#files()) {
      if ('problem' in found) yield found;
      else files.push(found);
    }
    const ids = this.#owners(files);
    const known = await storedEntries(
      memories,
      files.flatMap(({ path, file }) => this.#idOf(path, file) ?? []),
      this.#manifest?.namespace,
    );
    const gone = await this.#goneIds(files, known);
    const namespaces = namespacesByFolder(files);
    const relations: { place: string; sourceId: string; targets: readonly string[]; at: string }[] = [];
    for (const found of files) {
      const place = join(folder, found.path);
      const id = this.#idOf(found.path, found.file);
      const owner = id === undefined ? found.path : ids.get(id);
      const stored = id === undefined ? undefined : known.get(id);
      if (owner !== found.path) yield { place, problem: `has the id of ${owner}: remove the line to make it a new entry` };
      else if (id !== undefined && gone.has(id))
        yield { place, problem: `its entry was forgotten here: \`lore archive restore ${id}\` restores it` };
      else if (stored !== undefined) yield* this.#compare({ ...found, id: stored.id }, stored);
      else {
        const { item, sourceId, at } = this.#newItem({ ...found, id: id ?? newId() }, namespaces);
        yield item;
        if (found.file.supersedes.length > 0) relations.push({ place, sourceId, targets: found.file.supersedes, at });
      }
    }
    this.#missing = [...(this.#manifest?.files ?? [])].flatMap(([path, file]) =>
      ids.has(file.id) || this.#present.has(path) ? [] : [{ id: file.id, path, known: file }],
    );
    if (!this.#options.forgetMissing)
      for (const { path } of this.#missing)
        this.#options.findings.leaveOut('removed files, whose entries stay without --forget-missing', path);
    for (const { place, sourceId, targets, at } of relations) {
      for (const targetId of targets.filter((target) => ids.has(target) || known.has(target))) {
        yield {
          place,
          entry: { relation: { sourceId, targetId, type: 'supersedes', strength: 1, createdAt: Date.parse(at), origin: 'manual' } },
        };
      }
    }
  }

  async *#files(): AsyncGenerator<FoundFile | (Item & { readonly problem: string })> {
    const { folder, findings } = this.#options;
    for await (const found of markdownFiles(folder, findings)) {
      const place = join(folder, found.path);
      this.#present.add(found.path.normalize('NFC'));
      const file = 'problem' in found ? found : await readEntryFile(found.text);
      if ('problem' in file) yield { place, problem: file.problem };
      else if ('text' in found) yield { path: found.path.normalize('NFC'), text: found.text, file };
    }
  }

  /** The file of each id; if there are two, the exported one, or else the first. */
  #owners(files: readonly FoundFile[]): Map<string, string> {
    const owners = new Map<string, string>();
    for (const { path, file } of files) {
      const id = this.#idOf(path, file);
      const isExported = this.#manifest?.files.get(path)?.id === id;
      if (id !== undefined && (isExported || !owners.has(id))) owners.set(id, path);
    }
    return owners;
  }

  #idOf(path: string, file: FileEntry): string | undefined {
    return file.id ?? this.#manifest?.files.get(path)?.id;
  }

  /** Entries that this store forgot: their files must not restore them. */
  async #goneIds(files: readonly FoundFile[], known: ReadonlyMap<string, Entry>): Promise<ReadonlySet<string>> {
    const wanted = files.flatMap(({ path, file }) => {
      const id = this.#idOf(path, file);
      return id !== undefined && !known.has(id) && this.#manifest?.files.has(path) === true ? [id] : [];
    });
    return await archivedIds(this.#options.memories, new Set(wanted));
  }

  *#compare(found: FoundFile & { readonly id: string }, stored: Entry): Generator<Item> {
    const known = this.#manifest?.files.get(found.path);
    const agreed = Math.max(Date.parse(found.file.updated ?? '') || 0, Date.parse(known?.updated ?? '') || 0);
    // Times of files have no fractions of a millisecond.
    const storedAt = Math.floor(stored.updatedAt);
    const isUntouched = known?.hash === hashOf(found.text);
    const edit = isUntouched && storedAt === agreed ? undefined : editOf(found.file, stored);
    if (edit === undefined) {
      this.#unchanged += 1;
      this.#agreed.set(found.path, { id: stored.id, updated: iso(stored.updatedAt), hash: hashOf(found.text) });
    } else if (storedAt <= agreed) this.#edits.push({ ...found, edit });
    else if (isUntouched) this.#older += 1;
    else {
      const problem = `was edited, and so was its entry (${iso(stored.updatedAt)}): not imported. Compare it with \`lore get ${stored.id}\`, and export again`;
      yield { place: join(this.#options.folder, found.path), problem };
    }
  }

  #newItem({ path, text, file, id }: FoundFile & { readonly id: string }, namespaces: ReadonlyMap<string, string>) {
    const { folder } = this.#options;
    const { content, tags, priority, importance, container, source, sourceRef, created, updated } = file;
    const namespace = file.namespace ?? namespaces.get(dirOf(path)) ?? this.#manifest?.namespace;
    const at = updated ?? created ?? iso(Date.now());
    this.#new.set(this.#lines + 1, { path, text, id, updated: at });
    const entry = {
      id,
      content,
      namespace,
      container,
      tags,
      priority,
      importance,
      source,
      sourceRef,
      createdAt: created,
      updatedAt: updated,
    };
    return { item: { place: join(folder, path), entry }, sourceId: id, at };
  }

  /** Call for every line from `items`. */
  settle({ line, status, id }: ImportLine): void {
    const made = this.#new.get(line);
    if (made === undefined || status === 'invalid') return;
    this.#agreed.set(made.path, { id: id ?? made.id, updated: made.updated, hash: hashOf(made.text) });
  }

  /** Applies the edits, after the new entries are stored, and records the common state in the folder. */
  async finish({ dryRun }: { readonly dryRun: boolean }): Promise<FolderOutcome> {
    const forgotten = this.#options.forgetMissing ? await this.#forget({ dryRun }) : 0;
    for (const { path, text, id, edit } of dryRun ? [] : this.#edits) {
      const { content, tags, priority, importance, namespace, container } = edit;
      const given = { content, tags: tags && [...tags], priority, importance, namespace, container };
      const patch = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const { updatedAt } = await this.#options.memories.update(id, patch, { source: 'import' });
      this.#agreed.set(path, { id, updated: iso(updatedAt), hash: hashOf(text) });
    }
    if (!dryRun) await this.#note();
    const edited = this.#edits.slice(0, NAMED).map(({ path }) => path);
    return { updated: this.#edits.length, unchanged: this.#unchanged, older: this.#older, forgotten, edited };
  }

  /** Archives entries like `lore forget`, except those changed since their file was written. */
  async #forget({ dryRun }: { readonly dryRun: boolean }): Promise<number> {
    const { memories, findings } = this.#options;
    const stored = await storedEntries(
      memories,
      this.#missing.map(({ id }) => id),
      undefined,
    );
    const meant = this.#missing.filter(({ id, path, known }) => {
      const entry = stored.get(id);
      const isNewer = entry !== undefined && Math.floor(entry.updatedAt) > Date.parse(known.updated);
      if (isNewer) findings.leaveOut('removed files, whose entries were changed since and stay', path);
      return entry !== undefined && !isNewer;
    });
    const ids = meant.map(({ id }) => id);
    if (ids.length === 0 || dryRun) return ids.length;
    const { token } = await memories.lifecycle.forgetMany({ ids }, { source: 'import' });
    if (token !== undefined) await memories.lifecycle.forgetMany({ ids, confirm: token }, { source: 'import' });
    return ids.length;
  }

  async #note(): Promise<void> {
    const files = new Map([...(this.#manifest?.files ?? []), ...this.#agreed]);
    const removed = this.#options.forgetMissing ? this.#missing : [];
    for (const { path } of removed) files.delete(path);
    await writeManifest(this.#options.folder, { namespace: this.#manifest?.namespace, files }).catch((error: unknown) => {
      if (!(error instanceof LoreError)) throw error;
      this.#options.findings.leaveOut('the record of imported files, because the folder cannot be written', this.#options.folder);
    });
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();
const dirOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A new file gets the namespace of the files next to it. */
function namespacesByFolder(files: readonly FoundFile[]): Map<string, string> {
  const named = files.flatMap(({ path, file }) =>
    file.namespace === undefined ? [] : [{ folder: dirOf(path), namespace: file.namespace }],
  );
  const byFolder = new Map(named.map(({ folder, namespace }) => [folder, namespace]));
  for (const { namespace } of named) byFolder.set(folderName(namespace), namespace);
  return byFolder;
}
