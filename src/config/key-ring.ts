import { statSync } from 'node:fs';
import type { Grant, KeyRing } from '../memory/grant.ts';
import { silentLog, type Log } from '../memory/log.ts';
import { KeyUses } from './key-uses.ts';
import { ownChanges, digestOf, readKeyFile, type KeyRecord } from './key-file.ts';
import type { Config } from './schema.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** SHA-256 of a key, hexadecimal -> its grant. */
type KnownKeys = ReadonlyMap<string, Grant>;

interface KeyRingOptions {
  readonly config: Pick<Config, 'server'>;
  /** The keys file; it may be absent. */
  readonly file: string;
  /** Interval of checks for changes of the file, milliseconds. Default 1,000. */
  readonly checkEveryMs?: number;
  readonly log?: Pick<Log, 'warn'>;
  /** Monotonic clock in milliseconds. Default `performance.now`. */
  readonly now?: () => number;
}

/**
 * The key ring of the configured keys and the keys file, which is reloaded when it changes. `server.auth.enabled` decides whether a key is
 * required. If it is not set, the first key turns it on until the process ends: revoking the last key must not open a server. An unreadable
 * file grants nothing. Errors: `filesystem` or `config` if the file is invalid at the start.
 */
export function openKeyRing(options: KeyRingOptions): KeyRing {
  return new FileKeyRing(options);
}

class FileKeyRing implements KeyRing {
  readonly #file: string;
  readonly #enabled: boolean | undefined;
  readonly #configured: KnownKeys;
  readonly #checkEveryMs: number;
  readonly #log: Pick<Log, 'warn'>;
  readonly #now: () => number;
  readonly #uses: KeyUses;
  #generated: KnownKeys;
  #stamp: string | undefined;
  #checkedAt: number;
  #changesSeen = ownChanges();
  #everRequired = false;
  #failing = false;

  constructor({ config, file, checkEveryMs = 1000, log = silentLog, now = () => performance.now() }: KeyRingOptions) {
    const { enabled, apiKeys } = config.server.auth;
    this.#file = file;
    this.#enabled = enabled;
    this.#configured = byDigest(
      apiKeys.map((key, at) => [digestOf(key).toString('hex'), { name: `configured key ${at + 1}`, access: 'full' }]),
    );
    this.#checkEveryMs = checkEveryMs;
    this.#log = log;
    this.#now = now;
    this.#uses = new KeyUses(file);
    this.#stamp = stampOf(file);
    this.#generated = grantsOf(readKeyFile(file));
    this.#checkedAt = now();
  }

  get required(): boolean {
    if (this.#enabled !== undefined) return this.#enabled;
    this.#refresh();
    this.#everRequired ||= this.#configured.size + this.#generated.size > 0;
    return this.#everRequired;
  }

  grantFor(key: string): Grant | undefined {
    this.#refresh();
    if (this.#configured.size + this.#generated.size === 0) return undefined;
    // Looked up by digest: its timing reveals only digest bits, which nobody can choose.
    const digest = digestOf(key).toString('hex');
    return this.#configured.get(digest) ?? this.#generated.get(digest);
  }

  noteUse(grant: Grant): void {
    const id = idsOf.get(grant);
    if (id !== undefined) this.#uses.note(id);
  }

  #refresh(): void {
    const now = this.#now();
    const changes = ownChanges();
    if (now - this.#checkedAt < this.#checkEveryMs && changes === this.#changesSeen) return;
    this.#checkedAt = now;
    this.#changesSeen = changes;
    const stamp = stampOf(this.#file);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#everRequired ||= this.#generated.size > 0;
    try {
      this.#generated = grantsOf(readKeyFile(this.#file));
      this.#failing = false;
    } catch (error) {
      this.#generated = new Map();
      this.#everRequired = true;
      // The cause may pass without changing the file, such as too many open files: check again.
      this.#stamp = undefined;
      if (!this.#failing) this.#log.warn({ err: error }, 'the keys file cannot be read: generated keys are refused until it is readable');
      this.#failing = true;
    }
  }
}

/** A stamp that changes whenever the file is replaced, written, created or removed. */
function stampOf(file: string): string {
  try {
    const { ino, mtimeMs, ctimeMs, size } = statSync(file);
    return [ino, mtimeMs, ctimeMs, size].join(' ');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

/** The keys that grants are of. */
const idsOf = new WeakMap<Grant, string>();

function grantsOf(records: readonly KeyRecord[]): KnownKeys {
  return byDigest(
    records.map(({ id, name, access, namespace, sha256 }) => {
      const grant: Grant = { name, access, ...withoutUndefined({ namespace }) };
      idsOf.set(grant, id);
      return [sha256, grant];
    }),
  );
}

/** For duplicate keys the first counts. */
function byDigest(keys: readonly (readonly [string, Grant])[]): KnownKeys {
  return new Map(keys.toReversed());
}
