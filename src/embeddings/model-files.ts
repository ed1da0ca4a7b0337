import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LoreError } from '../memory/errors.ts';

/** Locations of a model's files: `<folder>/<model>/<file>` in both folders. */
export interface ModelLocations {
  /** Name, such as `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Download folder. */
  readonly cacheDir: string;
  /** Folder for files copied by hand; only read. */
  readonly localModelPath: string;
}

const MODEL_FILE = 'onnx/model_quantized.onnx';
/** The required files; no other file is read. */
const FILES = ['tokenizer.json', 'tokenizer_config.json', 'config.json', MODEL_FILE];

/** Size and hash of the published model file, to detect truncation and changes. */
const KNOWN: Readonly<Record<string, { bytes: number; sha256: string }>> = {
  'Xenova/all-MiniLM-L6-v2': { bytes: 22_972_370, sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1' },
};

/** Whether the model can be loaded offline, by names and sizes. Reads no file. */
export function localModelFiles(places: ModelLocations): boolean {
  return FILES.every((file) => [places.cacheDir, places.localModelPath].some((folder) => fileBytes(join(folder, places.model, file)) > 0));
}

/** Throws `config` for a name that would leave the folders or address another host. */
export function checkModelName(model: string): void {
  if (/^[\w.-]+(?:\/[\w.-]+)*$/.test(model) && !model.split('/').some((part) => /^\.+$/.test(part))) return;
  throw new LoreError('config', `${JSON.stringify(model.slice(0, 100))} is not the name of a model.`, {
    hint: 'A name looks like Xenova/all-MiniLM-L6-v2; set embeddings.model (SERVICE_EMBEDDINGS_MODEL).',
  });
}

/** Whether the downloaded model file differs from the published one: truncated or changed. */
export async function isUnknown({ model, cacheDir }: ModelLocations): Promise<boolean> {
  const known = KNOWN[model];
  const path = join(cacheDir, model, MODEL_FILE);
  const bytes = fileBytes(path);
  if (!known || bytes < 0) return false;
  if (bytes !== known.bytes) return true;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') !== known.sha256;
}

/** Whether the download folder contains anything of the model. */
export function isCached({ model, cacheDir }: ModelLocations): boolean {
  try {
    return readdirSync(join(cacheDir, model)).length > 0;
  } catch {
    return false;
  }
}

/** Deletes the downloaded files of the model, so that the next load downloads them again. Files copied by hand stay. */
export async function removeCached({ model, cacheDir }: ModelLocations): Promise<void> {
  checkModelName(model);
  await rm(join(cacheDir, model), { recursive: true, force: true });
}

/** Size of a file; -1 if it does not exist. */
function fileBytes(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : -1;
}
