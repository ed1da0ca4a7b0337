import type { Refusal } from './capture-reasons.ts';

/** Shorter texts are not judged by their layout. */
const LEAST_LINES = 5;
const LEAST_CODE_LINES = 4;
const READ_CHARS = 20_000;
const READ_LINE_CHARS = 400;

/** Texts that programs generate for a model. */
const BOILERPLATE = new RegExp(
  [
    "^\\s*(?:you are|you're|act as) (?:an? |the )?(?:claude|chatgpt|gpt|gemini|codex|cascade|cursor|(?:\\w+ ){0,4}(?:ai|assistant|agent|engineer|model|reviewer|subagent))\\b",
    '^\\s*this session is being continued from a previous conversation',
    '^\\s*caveat: the messages below were generated',
    '^\\s*\\[request interrupted by user',
    '^\\s*(?:<task-notification>|<local-command|<command-)',
    '^\\s*(?:base directory for this skill|launching skill):',
    '^\\s*# ?(?:claudemd|agents\\.md|system prompt)\\b',
    '^\\s*contents of \\S+(?:claude|agents|gemini)\\.md\\b',
    "\\bas you answer the user's questions, you can use the following context\\b",
    '\\bthis context may or may not be relevant to your tasks\\b',
    '\\byour task is to create a detailed summary of the conversation\\b',
    '^\\s*the user (?:opened the file|selected the lines|sent a new message)\\b',
    '^\\s*(?:todos have been modified successfully|file created successfully|the file \\S+ has been (?:updated|created))',
    '^\\s*/[a-z][\\w:-]*(?:\\s\\S+){0,3}\\s*$',
  ].join('|'),
  'iu',
);
const SOURCE_LINE =
  /^\s*(?:import\s.+from\s|import\s+[\w.{]|from\s+\S+\s+import\s|export\s+(?:default|const|class|function|interface|type)\b|(?:public|private|protected|static|async|const|let|var|function|class|interface|type|enum|struct|impl|fn|pub|def|return|if|for|while|else|elif|try|catch|switch|case|package|use|using|#include|#define|func|select|insert into|create table)\b.*[;:{}()=,]\s*$|[\w$.[\]'"]+\s*(?:=|:=|\+=)\s*\S|[)}\]]+[;,)]*$|.*[;{}]\s*$|<\/?[a-z][^>]*>|\/\/|\/\*|\*\s|@\w+|"[^"]+":\s|[\w-]+:\s*[^\s]+;?$)/iu;
const NUMBERED_LINE = /^\s*\d{1,6}\s*(?:→|\||\t|:\s)/;
/** Required for a diff, because list lines begin like diff lines. */
const DIFF = /^(?:diff --git |@@ -)/m;
const DIFF_LINE = /^(?:diff --git |index [0-9a-f]{6,}|@@ |\+\+\+ |--- |[+-](?![+-]))/;
const LISTED_LINE =
  /^\s*(?:[-dlbcps][rwxsStT-]{9}[@+.]?\s|[\w@.~/-]*\/[\w@.~/ -]*$|[\w@.-]+\.\w{1,8}\s*$|\S+[/.]\S+:\d+(?::\d+)?[:\s]|[│├└─|+\s-]+\S+\s*$|[ MADRCU?!]{1,2}\s\S+$|[0-9a-f]{7,40}\s|total \d+$|\|.*\|$|(?:\S+\s{2,}){2,}\S+)/u;
const PROGRESS_LINE =
  /\d{1,3}(?:\.\d+)?\s?%|\[[=#>.\s-]{4,}\]|[█▓▒░▏▎▍▌▋▊▉⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|^\s*(?:downloading|downloaded|fetching|resolving|compiling|building|bundling|transforming|installing|unpacking|extracting|pulling|pushing|waiting|preparing|verifying|linking|checking|collecting|requirement already|get:\d|hit:\d|reading|npm (?:warn|notice|http)|added \d+ packages|layer |step \d+\/|remote:|receiving|enumerating|counting|compressing|writing objects|total \d+ \()|\b(?:eta|elapsed|kb\/s|mb\/s|kib\/s|mib\/s)\b|^\s*(?:✓|✔|√|pass|ok|\.{3,}|·)\s|^[.\sFsx]{8,}$/iu;
const BASE64_RUN = /[A-Za-z0-9+/=_-]{200,}/g;
const UNREADABLE = /[\ufffd\p{Co}\p{Cn}]|(?!\s)\p{Cc}/gu;

/**
 * Why a text is noise by its form alone; undefined if it is not. Reads only its beginning. Pass it through `plainText` first: terminal
 * escapes count as binary.
 */
export function noiseIn(text: string): Refusal | undefined {
  const read = text.slice(0, READ_CHARS);
  if (BOILERPLATE.test(read)) return 'boilerplate';
  if (isBinary(read)) return 'binary';
  const lines = read.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.slice(0, READ_LINE_CHARS)]));
  const share = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length / lines.length;
  if (lines.length >= LEAST_LINES) {
    if (share(PROGRESS_LINE) > 0.5) return 'progress output';
    if (share(NUMBERED_LINE) > 0.5 || (DIFF.test(read) && share(DIFF_LINE) > 0.6)) return 'file dump';
    if (share(LISTED_LINE) > 0.6) return 'listing';
  }
  if (isData(read) || (lines.length >= LEAST_CODE_LINES && share(SOURCE_LINE) > 0.55)) return 'file dump';
  return undefined;
}

function isBinary(text: string): boolean {
  const strange = text.match(UNREADABLE)?.length ?? 0;
  if (strange > 2 && strange > text.length * 0.02) return true;
  const encoded = (text.match(BASE64_RUN) ?? []).reduce((sum, run) => sum + run.length, 0);
  return encoded > text.length / 2;
}

/** A JSON value or a markup document. */
function isData(text: string): boolean {
  const bare = text.trim();
  if (/^(?:<!doctype|<\?xml|<html|<svg)/i.test(bare)) return true;
  return bare.length > 40 && ((bare.startsWith('{') && bare.includes('":')) || (bare.startsWith('[') && /^\[\s*[[{"\d]/.test(bare)));
}
