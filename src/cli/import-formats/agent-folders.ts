import { open, readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, parse, resolve } from 'node:path';
import { detectNamespace } from '../../config/namespace.ts';
import { GLOBAL_NAMESPACE } from '../../memory/entry.ts';
import { storedName } from '../../memory/names.ts';

/** The first lines of a session contain the working directory. */
const SESSION_BYTES = 64 * 1024;
const MAX_SESSIONS = 5;
const CWD = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** The namespace of the project of an agent file; `global` if the file applies to every project of this user. */
export async function namespaceOfFolder(folder: string, home = homedir()): Promise<string> {
  const at = resolve(folder);
  const isPersonal = ['.claude', '.codex', '.cursor', '.gemini', '.config'].some(
    (name) => at === join(home, name) || at.startsWith(join(home, name, '/')),
  );
  return isPersonal || at === resolve(home) ? GLOBAL_NAMESPACE : (await detectNamespace({ cwd: at, home })).namespace;
}

/** Resolves a folder under `~/.claude/projects` to its project. */
interface ClaudeProject {
  readonly namespace: string;
  /** The project folder; undefined if it is unknown or not on this machine. */
  readonly folder?: string;
}

/**
 * The project path of a folder such as `-home-ana-work-shop`. In that name, every character of the path except letters and digits is a
 * hyphen, so this first reads the path from the sessions next to it, and then tries the disk.
 */
export async function claudeProject(projectFolder: string): Promise<ClaudeProject> {
  const name = parse(resolve(projectFolder)).base;
  const folder = (await sessionFolder(projectFolder)) ?? (await folderNamed(name));
  if (folder !== undefined) return { folder, namespace: (await detectNamespace({ cwd: folder })).namespace };
  return { namespace: storedName(name.replace(/^-+/, '')) || 'claude-code' };
}

/** The working directory in a session of the project. */
async function sessionFolder(projectFolder: string): Promise<string | undefined> {
  const names = await readdir(projectFolder).catch((): string[] => []);
  for (const name of names.filter((file) => file.endsWith('.jsonl')).slice(0, MAX_SESSIONS)) {
    const cwd = CWD.exec(await beginningOf(join(projectFolder, name)))?.[1];
    if (cwd !== undefined) return JSON.parse(cwd) as string;
  }
  return undefined;
}

async function beginningOf(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SESSION_BYTES), 0, SESSION_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}

const hyphened = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '-');

/** The folder on this disk whose path has this form; undefined if there is none or more than one. */
async function folderNamed(name: string): Promise<string | undefined> {
  const drive = /^([A-Za-z])--/.exec(name)?.[1];
  const [root, rest] = drive === undefined ? ['/', name.replace(/^-/, '')] : [`${drive}:\\`, name.slice(3)];
  const found: string[] = [];
  const look = async (folder: string, left: string): Promise<void> => {
    if (found.length > 1) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isDirectory()) continue;
      const written = hyphened(entry.name);
      if (written === left) found.push(join(folder, entry.name));
      else if (left.startsWith(`${written}-`)) await look(join(folder, entry.name), left.slice(written.length + 1));
    }
  };
  if (rest !== '') await look(root, rest);
  return found.length === 1 ? found[0] : undefined;
}

/** An agent file with its modification time. */
export async function textFile(path: string): Promise<{ readonly text: string; readonly modifiedMs: number }> {
  const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
  return { text, modifiedMs: mtimeMs };
}

/** The folder of an input file. */
export const folderOf = (path: string): string => dirname(resolve(path));
