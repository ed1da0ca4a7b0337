import type { LoadedConfig } from '../../config/load.ts';
import type { DEGRADED } from '../../memory/degraded.ts';
import type { Health } from '../../memory/operations/operations.ts';
import type { Finding } from './checkup.ts';

type Embeddings = LoadedConfig['config']['embeddings'];

interface Advice {
  readonly pattern: RegExp;
  readonly about: Finding['about'];
  readonly fix: string | ((embeddings: Embeddings) => string);
}

const STANDS_IN: Advice = { pattern: /; the builtin embedder stands in(?:, and Lore keeps trying)?\.$/, about: 'embedder', fix: modelFix };
const BY_WORDS: Omit<Advice, 'pattern'> = {
  about: 'embedder',
  fix: 'Run `lore migrate` when the configured model answers; until then these entries are found by their words.',
};
const SAME_MODEL =
  'Set embeddings.* as on the other servers of the store; or, to change its model, set it on all of them and run `lore migrate`.';
const DISK: Omit<Advice, 'pattern'> = {
  about: 'store',
  fix: 'Free space on that disk, or move the store to a larger one (storage.path).',
};
const LOOK: Omit<Advice, 'pattern'> = {
  about: 'store',
  fix: 'Check whether something is missing; `lore backup list` shows the backups you can restore.',
};

const LOST: Omit<Advice, 'pattern'> = {
  about: 'store',
  fix: 'Check whether something is missing; `lore backup list` shows the backups you can restore. Then remove the folder in quarantine, if the message names one.',
};

/** The fix for each sentence of `DEGRADED`, found by a pattern that matches no other sentence, because a server reports only the sentence. */
const ADVICE = {
  // A message of a model may contain any words, so patterns for the ends of sentences come first.
  damaged: { pattern: / (?:There is no backup|The newest backup) from before it was found(?: is \S+)?\.$/, ...LOST },
  downloading: STANDS_IN,
  absent: STANDS_IN,
  failed: STANDS_IN,
  unanswered: { pattern: /^The last call to the embedding model failed: /, about: 'embedder', fix: hostedFix },
  former: {
    pattern: /^The vectors of .+ stay active until `lore migrate` /,
    about: 'embedder',
    fix: 'Run `lore migrate` when the configured model answers; until then the former one stays active.',
  },
  other: { pattern: /^The vectors of the store are of .+, and this server is configured for /, about: 'embedder', fix: SAME_MODEL },
  missing: { pattern: /^The vectors of the store are of .+, which this server cannot use: /, about: 'embedder', fix: SAME_MODEL },
  waiting: { pattern: /^\S+(?: entry is| entries are| are) found by keyword only until /, ...BY_WORDS },
  pending: { pattern: /^\S+(?: entry is| entries are| are) found by keyword only: /, ...BY_WORDS },
  optimizing: {
    pattern: /^Optimizing the store keeps failing/,
    about: 'store',
    fix: 'Restart the server with --verbose and read its log; check that the disk has space.',
  },
  disk: { pattern: /^The disk of the store is nearly full: /, ...DISK },
  diskFull: { pattern: /^The disk of the store is full: /, ...DISK },
  job: {
    pattern: / keeps failing; Lore retries\./,
    about: 'store',
    fix: 'Read the server log (`lore serve --verbose`) for the reason; `lore stats --json` has the last error in `jobs`.',
  },
  backup: {
    pattern: /^The last backup failed/,
    about: 'backups',
    fix: 'Check that the backup location (storage.backupPath) is writable and has space; `lore backup now` tries again at once.',
  },
  altered: {
    pattern: / on the disk: `lore doctor --verify` names them\.$/,
    about: 'store',
    fix: '`lore doctor --verify` names the entries. Stop the server; `lore doctor --repair` restores them from a backup, the log or their history.',
  },
  wrongFiles: {
    pattern: / altered: `lore doctor --verify` names (?:it|them)\.$/,
    about: 'store',
    fix: 'Stop the server; `lore doctor --repair` restores what it can from the newest backup that has it, and names the rest. Then check the disk.',
  },
  audit: {
    pattern: /^The audit log cannot be written/,
    about: 'disk',
    fix: 'Check that the folder of the audit log (audit.path) is writable and has space; until then operations are not recorded.',
  },
  damagedSomewhere: { pattern: /^Something in the store is damaged: /, ...LOOK },
} as const satisfies Record<keyof typeof DEGRADED, Advice>;

/** Damage without loss, as reported by the store. */
const HARMLESS: readonly Advice[] = [
  {
    pattern: /^The index(?:es)? of .+ built again in the background\./,
    about: 'indexes',
    fix: 'Nothing to do: leave the server running for a while.',
  },
  { pattern: /^The disk did not store /, about: 'store', fix: 'Check that disk, then start Lore again.' },
  { pattern: /\bquarantine\b/, ...LOOK },
];

const ALL: readonly Advice[] = [...Object.values<Advice>(ADVICE), ...HARMLESS];

/** A finding for one problem that health reports as degraded, with its fix. */
export function degradedFinding(problem: string, { embedder }: Pick<Health, 'embedder'>, embeddings: Embeddings): Finding {
  const known = ALL.find(({ pattern }) => pattern.test(problem));
  if (known !== undefined) return { about: known.about, problem, fix: typeof known.fix === 'string' ? known.fix : known.fix(embeddings) };
  if (embedder.standsInFor !== undefined) return { about: 'embedder', problem, fix: modelFix(embeddings) };
  return { about: 'store', problem, fix: 'The server log (`lore serve --verbose`) has the details.' };
}

function modelFix(embeddings: Embeddings): string {
  const { provider, remoteHost, localModelPath } = embeddings;
  return provider === 'local'
    ? `Give this machine access to ${remoteHost} once, or copy the files into ${localModelPath} (docs/embeddings.md), or set embeddings.provider to builtin.`
    : hostedFix();
}

function hostedFix(): string {
  return 'Check embeddings.apiKey, embeddings.baseUrl and embeddings.model, and that the service answers.';
}
