/** The texts of `degraded` in a health report. The command line and the page recognize a problem by its text. */

import type { JobName } from './jobs.ts';

const INSTEAD = 'the builtin embedder stands in';

const counted = (entries: number): string => `${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}`;

/** `entries`: undefined for a caller who may not know the count. */
const foundByWords = (entries: number | undefined): string =>
  `${entries === undefined ? 'Entries are' : entries === 1 ? '1 entry is' : `${entries} entries are`} found by keyword only`;

const JOB_TEXTS: Readonly<Record<JobName, string>> = {
  capture: 'Processing events of hooks',
  relations: 'Finding relations',
  embedding: 'Computing missing vectors',
  compaction: 'Compaction',
  usage: 'Writing use counts',
  scrub: 'Comparing entries with their checksums',
  backup: 'The backup',
  contexts: 'Writing contexts for hooks',
};

/** Text of each kind of problem. */
export const DEGRADED = {
  downloading: (model: string) => `The model ${model} is being downloaded; ${INSTEAD}.`,
  absent: (model: string) => `The model ${model} is not on this machine; ${INSTEAD}.`,
  failed: (message: string, retried: boolean) => `${message.replace(/\.$/, '')}; ${INSTEAD}${retried ? ', and Lore keeps trying' : ''}.`,
  former: (active: string, target: string) =>
    `The vectors of ${active} stay active until \`lore migrate\` has replaced them with vectors of ${target}.`,
  /** On a shared store. */
  other: (active: string, target: string) =>
    `The vectors of the store are of ${active}, and this server is configured for ${target}: \`lore migrate\` replaces them for all servers.`,
  missing: (model: string) =>
    `The vectors of the store are of ${model}, which this server cannot use: entries are found by keyword only, and its saves get their vectors later.`,
  waiting: (entries?: number) => `${foundByWords(entries)} until the configured model is back.`,
  pending: (entries: number | undefined, model: string) => `${foundByWords(entries)}: no vector of ${model}. \`lore migrate\` embeds them.`,
  unanswered: (message: string) => `The last call to the embedding model failed: ${message}`,
  optimizing: () => 'Optimizing the store keeps failing, so searches get slower. The server log says why.',
  disk: (freeBytes: number) =>
    `The disk of the store is nearly full: ${Math.floor(freeBytes / 1e6)} MB are left. Saves fail when it is full.`,
  diskFull: () => 'The disk of the store is full: saves fail until there is space again. Reading and forgetting still work.',
  job: (name: JobName) => `${JOB_TEXTS[name]} keeps failing; Lore retries. The server log says why.`,
  backup: (failure: string) => `The last backup failed; Lore retries: ${failure}`,
  altered: (found?: { readonly altered: number; readonly unreadable: number }) => {
    const which = found && `${counted(found.altered)} not as saved and ${counted(found.unreadable)} unreadable`;
    return `${which ?? 'Entries not as saved or unreadable'} on the disk: \`lore doctor --verify\` names them.`;
  },
  /** `files`: undefined for a caller who may not know the count. */
  wrongFiles: (files?: number) =>
    `${files === undefined ? 'Files' : files === 1 ? '1 file' : `${files} files`} of the store ${files === 1 ? 'was' : 'were'} altered: \`lore doctor --verify\` names ${files === 1 ? 'it' : 'them'}.`,
  /** Damage that may have lost data: what was found, which backup is older than the damage, and how to clear the notice. */
  damaged: (finding: string, { backup, recordedIn }: { readonly backup?: string | undefined; readonly recordedIn?: string | undefined }) =>
    [
      finding,
      ...(recordedIn === undefined ? [] : [`To clear this notice, remove ${recordedIn} from the folder of the store.`]),
      backup === undefined ? 'There is no backup from before it was found.' : `The newest backup from before it was found is ${backup}.`,
    ].join(' '),
  /** Like `damaged`, for a caller who may know neither file names nor counts. */
  damagedSomewhere: (mayLose: boolean) =>
    `Something in the store is damaged: ${mayLose ? 'changes may be missing' : 'nothing that was acknowledged is missing'}.`,
  /** `lost`: number of lost lines; also 0 for a caller who may not know it. */
  audit: (lost: number) =>
    `The audit log cannot be written${lost === 0 ? '' : `, and ${lost.toLocaleString('en-US')} of its lines are lost`}. The server log says why.`,
} as const;
