import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { GLOBAL_NAMESPACE } from '../../memory/entry.ts';
import type { Log } from '../../memory/log.ts';
import { redact } from '../../memory/secrets/redaction.ts';
import type { Store } from '../../store/store.ts';
import { syncFolder } from '../../store/files/sync.ts';
import type { Touched } from '../../store/write/touched.ts';

/** Projects that someone works in at the same time, and some. */
const MAX_KEPT = 64;
/** After a change: the next one is not far. */
const WAIT_MS = 2000;
/** A change that comes while a context is formed makes it worthless. */
const TRIES_AT_CLOSE = 3;

/** Location of the context files; see `ContextPlace` of the configuration. */
export interface ContextFilesPlace {
  readonly folder: string;
  readonly fileOf: (namespace: string) => string;
}

interface Parts {
  readonly store: { readonly entries: Pick<Store['entries'], 'guardCommits'> };
  /** Undefined: nothing is kept. */
  readonly place: ContextFilesPlace | undefined;
  /** What a session in the namespace begins with; empty where that is nothing. */
  readonly contextOf: (namespace: string) => Promise<string>;
  /** Files are brought up to date while the store is open where jobs run unasked; else when it closes. */
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
}

/**
 * For each namespace the context that its sessions begin with, in a file that a hook reads while nobody has the store open. What a file says
 * is in the store: before a commit takes an entry away or changes one, the files that may name it are removed, and that survives a power
 * cut. New entries come into the files later. Secrets are redacted, whatever `memory.redactSecrets` says.
 */
export class ContextFiles {
  readonly #parts: Parts;
  /** Namespaces with a file, oldest first. */
  readonly #present = new Set<string>();
  /** Namespaces whose file is missing or out of date. */
  readonly #stale = new Set<string>();
  #commits = 0;
  /** Rises with the beginning and the end of every commit. */
  #version = 0;
  readonly #job: Job;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#job = parts.scheduler.add({
      name: 'contexts',
      run: async () => {
        await this.#refresh();
        return this.#stale.size > 0 ? WAIT_MS : undefined;
      },
      retryAfter: () => WAIT_MS,
      failure: 'the contexts for hooks could not be updated',
      close: async (stop) => {
        await stop();
        for (let tries = 0; tries < TRIES_AT_CLOSE && this.#stale.size > 0; tries++) await this.#refresh();
      },
    });
    if (parts.place === undefined) return;
    for (const namespace of namespacesIn(parts.place)) this.#present.add(namespace);
    parts.store.entries.guardCommits((touched) => this.#before(touched));
  }

  /** Requests a context file for this namespace, which is in use. */
  want(namespace: string): void {
    const { place } = this.#parts;
    if (place === undefined || !this.#job.runsUnasked || this.#present.has(namespace)) return;
    this.#note(namespace);
    this.#wait();
  }

  /** Updates the files without waiting for more changes, because a client may kill its MCP server at once. */
  hurry(): void {
    if (this.#stale.size > 0) this.#job.wake();
  }

  async #before({ changed, added }: Touched): Promise<() => void> {
    this.#commits += 1;
    this.#version += 1;
    for (const namespace of [...changed, ...added]) this.#note(namespace);
    // Each context has those of all projects, too.
    const isGlobal = (namespaces: ReadonlySet<string>): boolean => namespaces.has(GLOBAL_NAMESPACE);
    if (isGlobal(changed) || isGlobal(added)) for (const namespace of this.#present) this.#note(namespace);
    await this.#drop(isGlobal(changed) ? [...this.#present] : [...changed].filter((namespace) => this.#present.has(namespace)));
    return () => {
      this.#commits -= 1;
      this.#version += 1;
      this.#wait();
    };
  }

  async #drop(namespaces: readonly string[]): Promise<void> {
    const { place, log } = this.#parts;
    if (place === undefined || namespaces.length === 0) return;
    try {
      for (const namespace of namespaces) {
        const file = place.fileOf(namespace);
        for (const each of [file, draftOf(file)]) rmSync(each, { force: true });
        this.#present.delete(namespace);
      }
      await syncFolder(place.folder);
    } catch (error) {
      log.warn(
        { error: String(error), folder: place.folder },
        'a context for hooks could not be removed and may contain forgotten entries',
      );
    }
  }

  /** Keeps the most recently used files if there are too many. */
  #note(namespace: string): void {
    this.#stale.delete(namespace);
    this.#stale.add(namespace);
    const [oldest] = this.#stale;
    if (this.#stale.size > MAX_KEPT && oldest !== undefined) this.#stale.delete(oldest);
  }

  #wait(): void {
    if (this.#stale.size > 0) this.#job.wake(WAIT_MS);
  }

  async #refresh(): Promise<void> {
    const { contextOf, log } = this.#parts;
    const waiting = [...this.#stale];
    for (const namespace of waiting) {
      const version = this.#version;
      try {
        const text = await contextOf(namespace);
        // Of what a commit that is under way takes away nothing may be written behind it.
        if (this.#commits > 0 || version !== this.#version) return;
        this.#stale.delete(namespace);
        this.#keep(namespace, text);
      } catch (error) {
        this.#stale.delete(namespace);
        log.debug({ error: String(error), namespace }, 'the context of a namespace could not be written for hooks');
      }
    }
  }

  #keep(namespace: string, text: string): void {
    const { place } = this.#parts;
    if (place === undefined) return;
    const file = place.fileOf(namespace);
    this.#present.delete(namespace);
    if (text === '') {
      rmSync(file, { force: true });
      return;
    }
    mkdirSync(place.folder, { recursive: true, mode: 0o700 });
    writeFileSync(draftOf(file), `${JSON.stringify({ namespace, text: redact(text).text })}\n`, { mode: 0o600 });
    renameSync(draftOf(file), file);
    this.#present.add(namespace);
    const [oldest] = this.#present;
    if (this.#present.size <= MAX_KEPT || oldest === undefined) return;
    rmSync(place.fileOf(oldest), { force: true });
    this.#present.delete(oldest);
  }
}

const draftOf = (file: string): string => `${file}.new`;

/** Of the files that are there, the one written last at the end. What is no such file is removed: nobody would keep it up to date. */
function namespacesIn({ folder, fileOf }: ContextFilesPlace): string[] {
  const found: { readonly namespace: string; readonly writtenAt: number }[] = [];
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name);
    try {
      const { namespace } = JSON.parse(readFileSync(file, 'utf8')) as { readonly namespace?: unknown };
      if (typeof namespace === 'string' && fileOf(namespace) === file) found.push({ namespace, writtenAt: statSync(file).mtimeMs });
      else rmSync(file, { force: true });
    } catch {
      rmSync(file, { force: true, recursive: true });
    }
  }
  return found.toSorted((a, b) => a.writtenAt - b.writtenAt).map(({ namespace }) => namespace);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
