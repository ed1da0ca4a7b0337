/**
 * What a power cut does to the files of a store, emulated: nothing that its process had not been told to be safe needs to be there after it.
 */
import { copyFile, mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

/** What a process has said through recorded-syncs.mjs. */
type Line =
  | { readonly file: string; readonly bytes: number }
  | { readonly folder: string; readonly names: readonly string[] }
  | { readonly gone: string; readonly link: string }
  | { readonly moved: string; readonly to: string };

/** What was safe when the power went. */
interface Safe {
  /** File -> how many of its bytes. */
  readonly bytes: Map<string, number>;
  readonly names: Set<string>;
  /** Names that are gone or replaced, and whose folder has not been synced since -> a link to what they were. */
  readonly mayComeBack: Map<string, string>;
}

export interface PowerCut {
  readonly store: string;
  /** Files that were on the disk before the process began, with their sizes: `filesIn`. */
  readonly before: ReadonlyMap<string, number>;
  readonly log: string;
  /** Only what was written so long before the end is at risk; Infinity for all that the process wrote. */
  readonly withinMs: number;
  readonly endedAt: number;
  /** 0..1 */
  readonly random: () => number;
}

/** Every file and folder below a folder, with the bytes of the files; folders have -1. */
export async function filesIn(folder: string): Promise<Map<string, number>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = found.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return [file, entry.isDirectory() ? -1 : (await stat(file)).size] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** Cuts the power. Gives how many files it has harmed. */
export async function cutPower(cut: PowerCut): Promise<number> {
  const safe = safeBy(cut, await linesOf(cut.log));
  let harmed = 0;
  const there = await filesIn(cut.store);
  for (const [file, size] of there) {
    if (size === -1 || !(await isAtRisk(file, cut))) continue;
    const bytes = Math.min(safe.bytes.get(file) ?? 0, size);
    const isNamed = hasSafeName(file, cut.store, safe);
    if (bytes === size && isNamed) continue;
    if (await harm(file, { bytes, size, isNamed, random: cut.random })) harmed += 1;
  }
  for (const [file, link] of safe.mayComeBack) {
    if (cut.random() < 0.5) continue;
    harmed += 1;
    await mkdir(path.dirname(file), { recursive: true });
    await copyFile(link, file);
  }
  return harmed;
}

async function linesOf(log: string): Promise<Line[]> {
  const text = await readFile(log, 'utf8').catch(() => '');
  // The last line may have been cut by the kill.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

function safeBy({ before }: PowerCut, lines: readonly Line[]): Safe {
  const safe: Safe = { bytes: new Map(before), names: new Set(before.keys()), mayComeBack: new Map() };
  for (const line of lines) {
    if ('file' in line) safe.bytes.set(line.file, line.bytes);
    else if ('folder' in line) nameSafely(line, safe);
    else if ('gone' in line) safe.mayComeBack.set(line.gone, safe.mayComeBack.get(line.gone) ?? line.link);
    else {
      // The new text goes by the bytes that were synced under its first name; the name itself waits for the folder.
      safe.bytes.set(line.to, safe.bytes.get(line.moved) ?? 0);
      safe.bytes.delete(line.moved);
    }
  }
  return safe;
}

function nameSafely({ folder, names }: { folder: string; names: readonly string[] }, safe: Safe): void {
  for (const name of safe.names) if (path.dirname(name) === folder && !names.includes(path.basename(name))) safe.names.delete(name);
  for (const name of names) safe.names.add(path.join(folder, name));
  for (const name of safe.mayComeBack.keys()) if (path.dirname(name) === folder) safe.mayComeBack.delete(name);
}

function hasSafeName(file: string, store: string, safe: Safe): boolean {
  for (let name = file; name !== store; name = path.dirname(name)) if (!safe.names.has(name)) return false;
  return true;
}

async function isAtRisk(file: string, { withinMs, endedAt }: PowerCut): Promise<boolean> {
  const { mtimeMs, ctimeMs } = await stat(file);
  return endedAt - Math.max(mtimeMs, ctimeMs) <= withinMs;
}

/** Whether it is another one than before: some of what was not safe has reached the disk by chance. */
async function harm(
  file: string,
  { bytes, size, isNamed, random }: { bytes: number; size: number; isNamed: boolean; random: () => number },
): Promise<boolean> {
  const choice = random();
  if (!isNamed && choice < 0.3) {
    await rm(file);
    return true;
  }
  if (choice < 0.45) await truncate(file, bytes);
  else if (choice < 0.65) await truncate(file, bytes + Math.floor(random() * (size - bytes)));
  else if (choice < 0.9) await zero(file, { from: bytes, to: size });
  return choice < 0.9 && bytes < size;
}

async function zero(file: string, { from, to }: { from: number; to: number }): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(to - from), 0, to - from, from);
  await handle.close();
}
