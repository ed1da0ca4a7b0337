import { kindOf } from './entity-names.ts';
import { canonicalPath, isFileInFolder, isFileName } from './entity-path-names.ts';
import { type Claim, matchesNearSigns, type TextPart } from './entity-text.ts';

/** A path segment without sentence punctuation; `[slug]` and `(group)` are folder names of web frameworks. */
const SEGMENT = String.raw`(?:[\p{L}\p{N}\p{M}_.@+~-]|\[[\w.-]{1,64}\]|\([\w-]{1,64}\)(?=[\\/]))+`;
/** Two separators count as one: quoting doubles a backslash. */
const SEPARATORS = String.raw`[\\/]{1,2}`;
const ROOT = String.raw`[A-Za-z]:[\\/]{1,2}(?:Program Files(?: \(x86\))?${SEPARATORS})?|~[\\/]|\\\\|/`;
const BORDER = String.raw`(?<![\p{L}\p{N}\p{M}_.@+~$%&#\\/\]){}<>-])`;
const WRITTEN_PATH = new RegExp(
  `${BORDER}(?:${ROOT})?(?!-)${SEGMENT}(?:${SEPARATORS}${SEGMENT})*${SEPARATORS.replace('1,2', '0,1')}`,
  'gu',
);
/** Prefilter: paths and file names contain one of these, except some names without a dot. */
const SIGN = /[\\/]|\.(?=[A-Za-z0-9])/g;
const SIGN_OR_NAME = /[\\/]|\.(?=[A-Za-z0-9])|file(?<=[a-z]file)|CODEOWNERS|authorized_keys|known_hosts/g;
const IN_NAMES = ['file', 'CODEOWNERS', 'authorized_keys', 'known_hosts'];
/** A whole code span may contain blanks. */
const WINDOWS_SPAN = /^[A-Za-z]:\\[^"<>|?*:\p{Cc}]+$/u;
const DRIVE = /^[A-Za-z]:[\\/]/;
/** The rest of a Windows path after a blank; it is unclear whether it belongs to the path. */
const CUT_BY_BLANK = /^ [^\s\\/]{1,64}\\\S{0,256}/;
const TEMPLATE = /[<{*$%[]/;
/** Usual project folders. Those of `SOURCE_FOLDER` are not words of a sentence. */
const SOURCE_FOLDER = /^(?:src|cmd|pkg|node_modules|\.[a-z][\w-]+)$/;
const PROJECT_FOLDER =
  /^(?:api|app|apps|assets|backend|bin|build|client|components|config|crates|deploy|dist|docs|e2e|etc|examples|features|fixtures|frontend|helpers|hooks|include|infra|internal|lib|libs|locales|migrations|modules|ops|packages|pages|plugins|protocol|public|resources|routes|scripts|server|services|shared|spec|static|styles|templates|test|tests|tools|usr|utils|var|web)$/;
const PLAIN_SEGMENT = /^[\w.@+~[\]()-]*[A-Za-z][\w.@+~[\]()-]*$/;
/** Hosts: a path that begins with one is a URL without scheme. */
const SITE =
  /^localhost$|^\d+(?:\.\d+){3}$|\.(?:com|org|net|io|dev|de|fr|eu|uk|ch|at|nl|pl|jp|cn|kr|ru|ai|co|gov|edu|info|example|local|internal|test|invalid)$/i;
const REGULAR_EXPRESSION = /^\/[^/]+\/[dgimsuvy]{1,3}$/;

/** A slash after these does not begin a path: `/:name.mp4` is a route, `node:internal/x` is no file, `:8080/x` belongs to a host. */
const NO_BEGINNING = /(?:\/:|node:)$/;
const PORT = /^\d+[\\/]/;
const LONGEST_WRITTEN = 1024;

/** Finds file and folder paths. A relative path must end with a file or start with a project folder: it may be `and/or`. */
export function findPaths(part: TextPart): Claim[] {
  const { text, form } = part;
  if (form === 'span' && text.length <= LONGEST_WRITTEN && WINDOWS_SPAN.test(text)) return [claimOf(0, text.length, text)];
  const claims: Claim[] = [];
  const sign = IN_NAMES.some((name) => text.includes(name)) ? SIGN_OR_NAME : SIGN;
  for (const { 0: match, index } of matchesNearSigns(text, { sign, pattern: WRITTEN_PATH })) {
    if (match.length > LONGEST_WRITTEN || index < (claims.at(-1)?.end ?? 0)) continue;
    const [lead, after] = [text.slice(Math.max(0, index - 5), index), text.charAt(index + match.length)];
    // In `*src/a.ts*` the stars are emphasis; in `src/*.ts` the star is a wildcard.
    const isEmphasis = lead.endsWith('*') && after === '*';
    if (NO_BEGINNING.test(lead) || (lead.endsWith('*') && !isEmphasis) || (lead.endsWith(':') && PORT.test(match))) continue;
    const lost = DRIVE.test(match) ? (CUT_BY_BLANK.exec(text.slice(index + match.length, index + match.length + 322))?.[0].length ?? 0) : 0;
    const isCut = lost > 0 || (TEMPLATE.test(after) && !isEmphasis);
    claims.push(
      ...claimsOf({ match, index, isCut, isCalled: after === '(', inProse: form === 'prose' }).map((claim) => withEnd(claim, lost)),
    );
  }
  return claims;
}

interface Candidate {
  readonly match: string;
  readonly index: number;
  /** Its last segment continues with a placeholder or with text that may not belong to it. */
  readonly isCut: boolean;
  readonly isCalled: boolean;
  readonly inProse: boolean;
}

const withEnd = (claim: Claim, more: number): Claim => (more === 0 ? claim : { ...claim, end: claim.end + more });

function claimsOf({ match, index, isCut, isCalled, inProse }: Candidate): Claim[] {
  const whole = match.replace(/\.+$/, '').replace(/^\.{3}[\\/]/, '');
  const start = index + match.indexOf(whole);
  const written = isCut ? whole.slice(0, Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\')) + 1) : whole;
  if (!/[\\/]/.test(written)) return isFileName(written) && !isCalled ? [claimOf(start, whole.length, written)] : [];
  const segments = written.split(/[\\/]/);
  // `package.json/tsconfig.json` are two files.
  if (segments.slice(0, -1).some(isFileName)) return piecesOf(segments, start);
  if (SITE.test(segments[0] ?? '')) return [{ start: index, end: index + match.length }];
  return isPath(written, inProse) ? [claimOf(start, whole.length, written)] : [];
}

function piecesOf(files: readonly string[], start: number): Claim[] {
  let at = start;
  const claims: Claim[] = [];
  for (const file of files) {
    if (isFileName(file)) claims.push(claimOf(at, file.length, file));
    at += file.length + 1;
  }
  return claims;
}

function claimOf(start: number, length: number, written: string): Claim {
  const name = canonicalPath(written);
  return { start, end: start + length, ...(kindOf(name) === 'path' && { found: { name, kind: 'path' as const } }) };
}

function isPath(written: string, inProse: boolean): boolean {
  const segments = canonicalPath(written)
    .split('/')
    .filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  if (!segments.some((segment) => /[A-Za-z]/.test(segment)) || REGULAR_EXPRESSION.test(written)) return false;
  if (/^(?:[A-Za-z]:|~|\\\\)/.test(written)) return segments.length > 1;
  if (written.startsWith('/')) return segments.length > 1 || isFileInFolder(last);
  if (written.includes('\\')) return isFileInFolder(last);
  if (/^\.{1,2}\//.test(written) || isFileInFolder(last)) return true;
  if (segments.length < 2 || !segments.every((segment) => PLAIN_SEGMENT.test(segment))) return false;
  const [first = '', second = ''] = segments;
  const isFolder = written.endsWith('/');
  if (isFolder && segments.length > 2) return true;
  if (SOURCE_FOLDER.test(first)) return true;
  return PROJECT_FOLDER.test(first) && (segments.length > 2 || isFolder || (!inProse && !PROJECT_FOLDER.test(second)));
}
