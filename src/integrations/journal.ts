import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import { digest, type FileState } from './atomic-files.ts';
import { Part, Path } from './part.ts';
import { SCOPES, TARGET_NAMES } from './target.ts';

/** A part in a file, with the client and scope it belongs to. */
const InsertedPart = z.strictObject({
  target: z.enum(TARGET_NAMES),
  scope: z.enum(SCOPES),
  part: Part,
});
export type InsertedPart = z.output<typeof InsertedPart>;

/** What setup did to one file: enough to undo it. */
const EditedFile = z.strictObject({
  /** Real path, after resolving symbolic links. */
  path: z.string(),
  /** Whether the file existed before setup. */
  existed: z.boolean(),
  /** Digest of the content that setup wrote. */
  after: z.string(),
  /** Path of a copy of the content before setup. */
  backup: z.string().optional(),
  /** The backup (or no file) is exactly the state before our first edit: nobody changed the file between our edits. */
  isExact: z.boolean(),
  /** Folders that setup created for the file. */
  folders: z.array(z.string()),
  /** JSON members and arrays that setup created to hold the parts. */
  made: z.array(Path),
  parts: z.array(InsertedPart),
});
export type EditedFile = z.output<typeof EditedFile>;

const JournalFile = z.strictObject({ version: z.literal(1), files: z.array(EditedFile) });

/** The edits that have not been undone, by the real path of the file. */
export type Journal = ReadonlyMap<string, EditedFile>;

const backupsIn = (data: string): string => join(data, 'integrations');
const journalPath = (data: string): string => join(data, 'integrations.json');

/** Reads the journal; empty if there is none. Errors: `filesystem`, `config` (damaged). */
export async function readJournal(data: string): Promise<Journal> {
  const path = journalPath(data);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new LoreError('filesystem', `${path} cannot be read.`, { cause });
  });
  if (text === undefined) return new Map();
  try {
    return new Map(JournalFile.parse(JSON.parse(text)).files.map((file) => [file.path, file]));
  } catch (cause) {
    throw new LoreError('config', `${path}, the record of what setup edited, is damaged.`, {
      cause,
      hint: 'Move this file away. Teardown then finds its entries by name, but leaves empty files and folders.',
    });
  }
}

/** Replaces the journal atomically; removes the file if the journal is empty. Errors: `filesystem`. */
export async function writeJournal(data: string, journal: Journal): Promise<void> {
  if (journal.size === 0) {
    await rm(journalPath(data), { force: true });
    return;
  }
  const text = `${JSON.stringify({ version: 1, files: [...journal.values()] }, undefined, 2)}\n`;
  await writeOwn(data, journalPath(data), text);
}

/** Characters of a file name that go into the name of its backup, because a name can already have the maximum length. */
const MAX_NAME = 80;

/** Copies a file into our folder and returns the path of the copy. Errors: `filesystem`. */
export async function keepBackup(data: string, { real, bytes }: FileState & { readonly bytes: Buffer }): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const folder = backupsIn(data);
  const path = join(folder, `${basename(real).slice(0, MAX_NAME)}.${digest(real).slice(0, 8)}.${stamp}`);
  await writeOwn(folder, path, bytes);
  return path;
}

/** Removes backups, and their folder if it is then empty. */
export async function dropBackups(data: string, paths: readonly (string | undefined)[]): Promise<void> {
  for (const path of paths) if (path !== undefined) await rm(path, { force: true });
  await rmdir(backupsIn(data)).catch(() => {});
}

async function writeOwn(folder: string, path: string, content: string | Buffer): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    {
      await using file = await open(draft, 'wx', 0o600);
      await file.writeFile(content);
      await file.sync();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new LoreError('filesystem', `${path} cannot be written.`, { cause });
  }
}
