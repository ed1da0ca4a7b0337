import { v7 as newId } from 'uuid';
import { entitiesOf } from '../../memory/entities/entities.ts';
import { MAX_ENTITIES } from '../../memory/entities/entity-kinds.ts';
import { MAX_TAGS, type Entry } from '../../memory/entry.ts';
import type { SourceFile, SourceKind, SourcePassage } from '../../memory/operations/source-operations.ts';
import { contentHash } from '../../store/format/content-hash.ts';
import { draftEntry, searchTextOf } from '../changes/drafting.ts';
import { instant } from '../instant.ts';
import { containerOf, isAsRead, sourceRefOf } from './source-locations.ts';

/** A file with its distinct passages. */
export interface CleanFile {
  readonly file: SourceFile;
  readonly passages: readonly SourcePassage[];
  readonly secrets: readonly string[];
}

/** The changes for one file. */
export interface FilePlan {
  readonly clean: CleanFile;
  /** New entries. */
  readonly drafts: readonly Entry[];
  /** Entries that are kept with a new position. */
  readonly moved: readonly MovedEntry[];
  /** Number of unchanged entries. */
  readonly unchanged: number;
}

export interface MovedEntry {
  readonly entry: Entry;
  readonly searchText: string;
}

export interface PlanContext {
  readonly kind: SourceKind;
  readonly namespace: string;
  readonly root: string;
  readonly now: () => number;
}

/** Entries of files, each used for at most one passage. */
export class EarlierEntries {
  readonly #byContent = new Map<string, Entry[]>();
  readonly #left = new Map<string, Entry>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      this.#left.set(entry.id, entry);
      if (!isAsRead(entry)) continue;
      const key = `${entry.container}\n${entry.contentHash}`;
      this.#byContent.set(key, [...(this.#byContent.get(key) ?? []), entry]);
    }
  }

  /** The entry with this text in the first of the containers that has one. */
  take(hash: string, containers: readonly string[]): Entry | undefined {
    for (const container of containers) {
      const entry = this.#byContent.get(`${container}\n${hash}`)?.pop();
      if (entry === undefined) continue;
      this.#left.delete(entry.id);
      return entry;
    }
    return undefined;
  }

  /** The entries that no passage used. */
  get left(): Entry[] {
    return [...this.#left.values()];
  }
}

/** Plans which entries are kept and which are new. Yields after every passage. */
export async function planFile(
  clean: CleanFile,
  earlier: EarlierEntries,
  context: PlanContext,
  pause: () => Promise<void>,
): Promise<FilePlan> {
  const { file, passages } = clean;
  const { kind, root } = context;
  const containers = [file.path, ...(file.from === undefined ? [] : [file.from])].map((path) => containerOf(kind, root, path));
  const container = containers[0] as string;
  const [drafts, moved]: [Entry[], MovedEntry[]] = [[], []];
  let unchanged = 0;
  for (const [nth, passage] of passages.entries()) {
    const hash = contentHash(passage.content);
    const sourceRef = sourceRefOf({ root, file, passage, part: nth + 1, of: passages.length, contentHash: hash });
    const known = earlier.take(hash, containers);
    const place = { container, sourceRef, path: file.path };
    if (known === undefined) drafts.push(draft(passage, place, context));
    else {
      const next = placed(known, { ...place, passage });
      if (next === known) unchanged += 1;
      else moved.push({ entry: { ...next, updatedAt: context.now() }, searchText: await searchTextOf(next) });
    }
    await pause();
  }
  return { clean, drafts, moved, unchanged };
}

interface Place {
  readonly container: string;
  readonly sourceRef: Readonly<Record<string, unknown>>;
  readonly path: string;
}

function draft({ content, tags = [], createdAt }: SourcePassage, place: Place, { kind, namespace, now }: PlanContext): Entry {
  const at = now();
  const { container, sourceRef, path } = place;
  return draftEntry({
    id: newId(),
    content,
    namespace,
    container,
    tags: [...new Set(tags)],
    priority: 'normal',
    source: kind,
    sourceRef,
    createdAt: createdAt === undefined ? at : instant(createdAt),
    updatedAt: at,
    ...namesIn(path, content),
  });
}

/** The entry with the new position of its passage; the same object if the position did not change. */
function placed(entry: Entry, { container, sourceRef, path, passage: { tags = [] } }: Place & { readonly passage: SourcePassage }): Entry {
  const missing = [...new Set(tags)].filter((tag) => !entry.tags.includes(tag)).slice(0, MAX_TAGS - entry.tags.length);
  const isThere = entry.container === container;
  if (isThere && missing.length === 0 && JSON.stringify(entry.sourceRef) === JSON.stringify(sourceRef)) return entry;
  const { entities: _, ...facts } = entry;
  return { ...(isThere ? entry : { ...facts, ...namesIn(path, entry.content) }), container, sourceRef, tags: [...entry.tags, ...missing] };
}

/** The names in a passage, its own file first. */
function namesIn(path: string, content: string): { readonly entities?: readonly string[] } {
  const entities = [...new Set([...entitiesOf(path), ...entitiesOf(content)])].slice(0, MAX_ENTITIES);
  return entities.length === 0 ? {} : { entities };
}
