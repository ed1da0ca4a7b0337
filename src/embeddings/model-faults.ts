import { LoreError } from '../memory/errors.ts';
import type { ModelFault } from './local-protocol.ts';

/** Recognizes error codes and messages of the library, with their reason in plain words. */
const DOWNLOAD_FAULTS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN)$/, 'no network'],
  [/^ECONNREFUSED$/, 'the host does not accept connections'],
  [/^(?:ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/, 'the host does not answer'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$|^terminated$/, 'the connection broke'],
  [/CERT|SSL|TLS|ALTNAME/, 'the certificate of the host is not trusted'],
  [/^Could not locate file/, 'the host does not have it'],
  [/^(?:Unauthorized|Forbidden) access/, 'the host refuses access to it'],
  [/error occurred while trying to load file|^Error \(\d+\)|^Bad request/, 'the host reports an error'],
  [/^fetch failed$/, 'the host cannot be reached'],
];
const FILE_CODES = /^(?:EISDIR|EACCES|EPERM|ENOSPC|EROFS|EMFILE|EIO)$/;

/** Whether a load failed because of damaged files: downloading them again may help. */
export function isDamage({ name, message }: ModelFault): boolean {
  // For a rejected model file the library tries another runtime, which Lore does not include.
  return name === 'SyntaxError' || message.startsWith('no available backend found');
}

/** The error for a failed load. The library's message is only its cause. */
export function loadError(model: string, fault: ModelFault): LoreError {
  const cause = Object.assign(new Error(fault.message), { name: fault.name });
  if (isDamage(fault)) {
    return new LoreError('filesystem', `The files of the model ${model} are damaged, or are not a model.`, {
      cause,
      hint: 'Delete them, or set embeddings.allowDownload so that Lore can fetch them again.',
    });
  }
  if (fault.message.includes('file was not found locally')) return missingError(model, cause);
  if (fault.code !== undefined && FILE_CODES.test(fault.code)) {
    return new LoreError('filesystem', `The files of the model ${model} cannot be read (${fault.code}).`, { cause });
  }
  const reason = DOWNLOAD_FAULTS.find(([pattern]) => pattern.test(fault.code ?? '') || pattern.test(fault.message))?.[1];
  if (reason) return downloadError(model, reason, cause);
  return new LoreError('unavailable', `The model ${model} could not be loaded.`, { cause });
}

export function downloadError(model: string, reason: string, cause?: unknown): LoreError {
  return new LoreError('network', `The model ${model} could not be downloaded: ${reason}.`, {
    cause,
    hint: 'Lore uses the builtin embedder meanwhile. To use another host, set embeddings.remoteHost; to use copied files, set embeddings.localModelPath.',
  });
}

export function missingError(model: string, cause?: unknown): LoreError {
  return new LoreError('unavailable', `The model ${model} is not on this machine, and downloading is switched off.`, {
    cause,
    hint: 'Copy its files into the folder embeddings.localModelPath, or set embeddings.allowDownload.',
  });
}

export function dimensionsError(model: string, sizes: { made: number; configured: number }): LoreError {
  return new LoreError('config', `The model ${model} makes vectors of ${sizes.made} numbers; ${sizes.configured} are configured.`, {
    hint: `Set embeddings.dimensions (SERVICE_EMBEDDINGS_DIMENSIONS) to ${sizes.made}, or choose another model.`,
  });
}
