import { LoreError } from '../../memory/errors.ts';
import { dateOf } from './field-values.ts';
import { Findings } from './findings.ts';
import { MEGABYTE, type Reader, type SourceDocument } from './reader.ts';
import { decodeText, oneLine } from './text-decoding.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Common root of all logs: the commit hash identifies a commit in every clone. */
const ROOT = 'git';
const COMMIT = /^commit ([\da-f]{7,64})\b/;
/** Maximum number of files named in an entry. */
const MAX_FILES_SHOWN = 30;
const MAX_AUTHOR_CHARS = 300;

/** Whether a text is output of `git log`: a commit line with an author soon after. */
export function isGitLog(start: string): boolean {
  const [first = '', ...next] = start.trimStart().split('\n', 8);
  return COMMIT.test(first) && next.some((line) => /^author:? /i.test(line));
}

/**
 * Reads output of `git log` in the formats medium, full, fuller and raw, with or without file lists: one entry per commit. Skips patches.
 */
export const gitLogReader: Reader = {
  name: 'git-log',
  maxBytes: 256 * MEGABYTE,
  isolatedFrom: Number.POSITIVE_INFINITY,
  read: ({ bytes, name }) => {
    const { text, note } = decodeText(bytes, name);
    const findings = new Findings();
    const documents = new Map<string, SourceDocument>();
    for (const lines of commitsIn(text)) {
      const commit = readCommit(lines);
      findings.count('commits');
      if (commit.subject === '') findings.leaveOut('commits without a message', commit.hash);
      else documents.set(commit.hash, documentOf(commit, findings));
    }
    if (Object.keys(findings.found).length === 0) {
      throw new LoreError('invalid_input', `${name} is not output of \`git log\`.`, {
        hint: 'Supported formats: medium, full, fuller and raw. `lore ingest --git` runs git itself.',
      });
    }
    return {
      format: 'git-log',
      documents: [...documents.values()],
      found: findings.found,
      leftOut: findings.leftOut,
      notes: note === undefined ? [] : [note],
    };
  },
};

interface Commit {
  readonly hash: string;
  readonly author: string | undefined;
  readonly date: string | undefined;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly string[];
}

/** Splits a log into the lines of each commit. */
function* commitsIn(text: string): Generator<string[]> {
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const isFirst = COMMIT.test(line);
    if (isFirst && lines.length > 0) yield lines;
    if (isFirst) lines = [line];
    else if (lines.length > 0) lines.push(line);
  }
  if (lines.length > 0) yield lines;
}

function readCommit(lines: readonly string[]): Commit {
  const headerEnd = lines.indexOf('');
  const header = headerEnd === -1 ? lines : lines.slice(0, headerEnd);
  const rest = lines.slice(header.length);
  const isMessage = (line: string): boolean => line.startsWith('    ') || line.trim() === '';
  const messageEnd = rest.findIndex((line) => !isMessage(line));
  const message = rest.slice(0, messageEnd === -1 ? rest.length : messageEnd).map((line) => line.slice(4).trimEnd());
  const [subject, ...body] = message.join('\n').trim().split('\n');
  const { author, date } = signature(header);
  return {
    hash: COMMIT.exec(lines[0] ?? '')?.[1] ?? '',
    author,
    date,
    subject: subject ?? '',
    body: body.join('\n').trim(),
    files: messageEnd === -1 ? [] : filesIn(rest.slice(messageEnd)),
  };
}

function signature(header: readonly string[]): { author: string | undefined; date: string | undefined } {
  const value = (name: RegExp): string | undefined =>
    header.map((line) => name.exec(line)?.[1]?.trim()).find((found) => found !== undefined);
  // The format raw has author and date on one line, the date in seconds.
  const raw = header.map((line) => /^author (.*?) (\d{1,12}) [+-]\d{4}$/.exec(line)).find((found) => found !== null);
  return { author: raw?.[1] ?? value(/^Author:(.*)$/), date: raw?.[2] ?? value(/^(?:AuthorDate|Date):(.*)$/) };
}

const FILE_LINES = [
  /^ (\S.*?) +\| +(?:\d+|Bin)\b/,
  /^(?:[AMDTUX]|[RC]\d{1,3})\t(?:[^\t]*\t)?([^\t]+)$/,
  /^(?:\d+|-)\t(?:\d+|-)\t(.+)$/,
  /^:\d{6} .*\t([^\t]+)$/,
] as const;

/** Files listed after the message by `--stat`, `--name-only`, `--name-status`, `--numstat`, `--raw` or a patch. */
function filesIn(lines: readonly string[]): string[] {
  const files = new Set<string>();
  let isPatch = false;
  for (const line of lines) {
    const patched = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1];
    isPatch ||= patched !== undefined || line.startsWith('diff --');
    const file = isPatch ? patched : namedFile(line);
    if (file !== undefined) files.add(file);
  }
  return [...files];
}

function namedFile(line: string): string | undefined {
  for (const form of FILE_LINES) {
    const file = form.exec(line)?.[1];
    if (file !== undefined) return file.trim();
  }
  // Notes, change summaries and indented text are not file names.
  return line === '' || /^\s|^Notes\b.*:$/.test(line) ? undefined : line;
}

function documentOf({ hash, author, date, subject, body, files }: Commit, findings: Findings): SourceDocument {
  const shown = files.slice(0, MAX_FILES_SHOWN).join(', ');
  const more = files.length > MAX_FILES_SHOWN ? ` and ${files.length - MAX_FILES_SHOWN} more` : '';
  const createdAt = dateOf(date, findings);
  const by = oneLine(author, MAX_AUTHOR_CHARS);
  const details = { commit: hash, ...withoutUndefined({ author: by, date: createdAt }) };
  return {
    key: { root: ROOT, path: hash },
    passages: [
      {
        // Files are part of the text, so that a search for a path finds the commit.
        content: [subject, body, shown === '' ? '' : `Files: ${shown}${more}`].filter((part) => part !== '').join('\n\n'),
        tags: ['commit'],
        ...withoutUndefined({ createdAt }),
        details,
      },
    ],
  };
}
