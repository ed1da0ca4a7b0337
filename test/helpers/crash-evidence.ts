import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names the folder for crash reports to the processes of a run. */
const FOLDER_VARIABLE = 'LORE_LOST_WORKERS';
/** Reports of the last run. */
const OWN_FOLDER = fileURLToPath(new URL('../../lost-workers/', import.meta.url));
const folderOfRun = (): string => process.env[FOLDER_VARIABLE] ?? OWN_FOLDER;
/** Stack frames that are printed. */
const FRAMES = 30;
const DEBUGGER_MS = 120_000;

const tried = (work: () => string): string | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/** Enables core dumps and Node's crash reports for this run. */
export function keepCrashes(): void {
  if (process.env[FOLDER_VARIABLE] === undefined) rmSync(OWN_FOLDER, { recursive: true, force: true });
  process.env[FOLDER_VARIABLE] ??= OWN_FOLDER;
  // Set for this process; its child processes inherit it.
  tried(() => execFileSync('prlimit', ['--pid', String(process.pid), '--core=unlimited'], { encoding: 'utf8', stdio: 'pipe' }));
}

/** In a test process: Node writes a report if memory runs out or V8 has an internal error. */
export function reportFatalErrors(): void {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined || process.report === undefined) return;
  mkdirSync(folder, { recursive: true });
  process.report.directory = folder;
  process.report.compact = false;
  process.report.reportOnFatalError = true;
}

/** Describes a process that crashed in this folder: current stack and crash location. */
export function evidenceOf(pid: number, folder: string): string {
  const kept = folderOfRun();
  const report = tried(() => readdirSync(kept).join('\n'))
    ?.split('\n')
    .find((name) => name.startsWith('report.') && name.includes(`.${pid}.`));
  return [report && reported(path.join(kept, report)), cored(pid, folder)].filter((text) => text !== undefined).join('\n');
}

function reported(file: string): string {
  const told = tried(() => {
    const { header, nativeStack } = JSON.parse(readFileSync(file, 'utf8')) as {
      header: { event: string };
      nativeStack: readonly { symbol: string }[];
    };
    return [header.event, ...nativeStack.slice(0, FRAMES).map(({ symbol }) => `  ${symbol}`)].join('\n');
  });
  return `Node's report is ${file}: ${told ?? 'it cannot be read'}`;
}

function cored(pid: number, folder: string): string | undefined {
  const pattern = tried(() => readFileSync('/proc/sys/kernel/core_pattern', 'utf8').trim());
  if (pattern === undefined) return undefined;
  if (pattern.startsWith('|')) return `The system gave its core to ${pattern}.`;
  const names = [`core.${pid}`, 'core'];
  const kept = path.join(folderOfRun(), `core.${pid}`);
  mkdirSync(folderOfRun(), { recursive: true });
  const found = names.find((name) => tried(() => (renameSync(path.join(folder, name), kept), name)) !== undefined);
  if (found === undefined) return `No core of it is there (core_pattern is ${pattern}).`;
  const options = { encoding: 'utf8', timeout: DEBUGGER_MS, stdio: 'pipe' } as const;
  const stack = tried(() => execFileSync('gdb', ['-batch', '-ex', `bt ${FRAMES}`, process.execPath, kept], options));
  const frames = stack?.split('\n').filter((line) => /^(?:#\d|Program terminated)/.test(line));
  return [`Its core is ${kept}.`, ...(frames ?? [`gdb ${process.execPath} ${kept} says where it stood.`])].join('\n');
}
