import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { GLOBAL_NAMESPACE } from '../../memory/entry.ts';
import type { Log } from '../../memory/log.ts';
import { redact } from '../../memory/secrets/redaction.ts';
import type { Store } from '../../store/store.ts';
import { syncFolder } from '../../store/files/sync.ts';
import type { TouchedNamespaces } from '../../store/write/touched.ts';

/** More projects than someone works in at the same time. */
const MAX_KEPT = 64;
/** Delay after a change, because others usually follow. */
const WAIT_MS = 2000;
/** How long they yield to requests: a context that is built among saves is out of date at once. */
const LONGEST_WAIT_MS = 20_000;
/** A change while a context is built makes it out of date. */
const TRIES_AT_CLOSE = 3;

/** Location of the context files; see `ContextLocation` of the configuration. */
export interface ContextFilesLocation {
  readonly folder: string;
  readonly fileOf: (namespace: string) => string;
}

interface Parts {
  readonly store: { readonly entries: Pick<Store['entries'], 'guardCommits'> };
  /** Undefined if no files are kept. */
  readonly place: ContextFilesLocation | undefined;
  /** The context for the start of a session in the namespace; may be empty. */
  readonly contextOf: (namespace: string) => Promise<string>;
  /** Whether background jobs run. If they do, files are updated while the store is open, otherwise when it closes. */
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
}

/**
 * Keeps for each namespace the context of the session start in a file, which a hook reads when no process has the store open. Everything in
 * a file is in the store: before a commit removes or changes an entry, the files that may name it are removed, and that removal survives a
 * power cut. New entries are added to the files later. Secrets are redacted, whatever `memory.redactSecrets` says.
 */
export class ContextFiles {
  readonly #parts: Parts;
  /** Namespaces with a file, oldest first. */
  readonly #present = new Set<string>();
  /** Namespaces whose file is missing or out of date. */
  readonly #stale = new Set<string>();
  #commits = 0;
  /** Incremented at the beginning and the end of every commit. */
  #version = 0;
  /** Calls of `hurry` that wait. */
  #hurrying = 0;
  readonly #job: Job;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#job = parts.scheduler.add({
      name: 'contexts',
      run: async ({ whenQuiet }) => {
        await whenQuiet((waitedMs) => this.#hurrying === 0 && waitedMs < LONGEST_WAIT_MS);
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
    if (place === undefined || !this.#job.runsAutomatically || this.#present.has(namespace)) return;
    this.#note(namespace);
    this.#wait();
  }

  /** Updates the files without waiting for more changes, because a client may kill its MCP server at once. Never rejects. */
  async hurry(): Promise<void> {
    if (this.#stale.size === 0 || !this.#job.runsAutomatically) return;
    this.#hurrying += 1;
    await this.#job.tryNow().finally(() => (this.#hurrying -= 1));
  }

  async #before({ changed, added }: TouchedNamespaces): Promise<() => void> {
    this.#commits += 1;
    this.#version += 1;
    for (const namespace of [...changed, ...added]) this.#note(namespace);
    // Each context also has the entries of all projects.
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
        // A file must not name an entry that a running commit removes.
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

/** The existing files, the most recently written last. Removes files of other names, because nothing would update them. */
function namespacesIn({ folder, fileOf }: ContextFilesLocation): string[] {
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
