/** The sentences in which the health of a store says that something is not as it should be. Whoever explains one knows it by its words. */

const INSTEAD = 'the builtin embedder stands in';

const foundByWords = (entries: number): string => `${entries === 1 ? '1 entry is' : `${entries} entries are`} found by keyword only`;

/** By what is wrong. */
export const DEGRADED = {
  downloading: (model: string) => `The model ${model} is being downloaded; ${INSTEAD}.`,
  absent: (model: string) => `The model ${model} is not on this machine; ${INSTEAD}.`,
  failed: (message: string, retried: boolean) => `${message.replace(/\.$/, '')}; ${INSTEAD}${retried ? ', and Lore keeps trying' : ''}.`,
  former: (active: string, target: string) =>
    `The vectors of ${active} serve until \`lore migrate\` has replaced them by those of ${target}.`,
  waiting: (entries: number) => `${foundByWords(entries)} until the configured model is back.`,
  pending: (entries: number, model: string) => `${foundByWords(entries)}, having no vector of ${model}; \`lore migrate\` embeds them.`,
  unanswered: (message: string) => `The last call to the embedding model failed: ${message}`,
  optimizing: () => 'Optimizing the store keeps failing, so searches get slower. The server log says why.',
  disk: (freeBytes: number) =>
    `The disk of the store is nearly full: ${Math.floor(freeBytes / 1e6)} MB are left. Nothing can be saved once it is full.`,
  diskFull: () => 'The disk of the store is full: nothing is saved until there is space again. Reading and forgetting go on.',
  backup: (failure: string) => `The last backup failed, and is tried again: ${failure}`,
  audit: (lost: number) =>
    `The audit log cannot be written${lost === 0 ? '' : `, and ${lost.toLocaleString('en-US')} of its lines are lost`}. The server log says why.`,
} as const;
