import { cutText, plainText } from './capture-text.ts';

const SHELL_TOOL =
  /^(?:bash|shell|sh|zsh|powershell|pwsh|cmd|terminal|run_?command|run_?terminal_?cmd|run_in_terminal|exec(?:ute)?(?:_command)?|local_shell(?:_call)?|unified_exec)$/i;
const EDIT_TOOL =
  /^(?:edit|write|multi_?edit|notebook_?edit|apply_?patch|str_?replace(?:_editor|_based_edit_tool)?|create(?:_file)?|edit_file|write_file|write_to_file|replace(?:_file_content|_string_in_file)?|patch|afterFileEdit)$/i;
/** Tools of Lore itself, with any client prefix. */
const OWN_TOOL =
  /(?:^|[_:.-])lore(?:$|[_:.-])|^(?:mcp__\w+__)?memory_(?:save|recall|search|list|get|forget|health|relate|context|\w+)$|^lore$/i;
const OWN_COMMAND = /(?:^|[;&|(]\s*|\/)(?:npx\s+)?lore\s+[a-z]|\/bin\/run\.js\s+[a-z]|\b(?:localhost|127\.0\.0\.1):7007\b/i;
/** Read-only commands: their failure is not worth capturing. */
const LOOKING =
  /^(?:cd|ls|ll|cat|head|tail|less|grep|rg|ag|find|fd|sed -n|awk|wc|which|type|pwd|echo|printf|stat|file|diff|jq|yq|ps|top|df|du|env|printenv|whoami|date|sleep|true|man|tree|test|\[|git (?:status|log|diff|show|branch|remote|blame|stash list|ls-files|rev-parse|grep|fetch)|curl|wget|history|kill|pkill|lsof|netstat|ss|uname|hostname|node -[ep]|python3? -c|docker (?:ps|logs|images|inspect)|kubectl (?:get|describe|logs)|npm (?:ls|view|outdated)|gh (?:pr|issue|run) (?:list|view|status|diff|checks))(?:\s|$)/i;

/** Commands with lasting effects; success is worth a line. */
const LASTING: readonly (readonly [pattern: RegExp, verb: string])[] = [
  [
    /(?:^|\s)(?:npm|pnpm|yarn|bun) (?:i|install|add) (?:-\S+ )*(?!-|\.)[@a-z]|(?:^|\s)(?:pip3?|uv pip|poetry|uv|pipenv) (?:install|add) (?!-r|-e|-U pip|--upgrade pip|\.)[a-z]|(?:^|\s)cargo add \S|(?:^|\s)go get \S|(?:^|\s)(?:composer|gem|bundle|dotnet) (?:require|install|add) [a-z]/i,
    'Added a dependency',
  ],
  [
    /(?:^|\s|:|-|_)(?:deploy|release|ship|publish|rollback|promote)(?:$|[\s:_-])|(?:^|\s)(?:kubectl|helm|terraform|pulumi|cdk|flyctl|fly|vercel|netlify|gcloud|serverless|sls) (?:apply|upgrade|install|deploy|up|rollout|publish|scale)|docker push/i,
    'Deployed',
  ],
  [/(?:migrate|migration)(?:$|[\s:])|alembic upgrade|flyway|liquibase update|db:(?:migrate|push)|prisma db push/i, 'Migrated'],
];
/** Dry runs and read-only variants. */
const REHEARSED = /--(?:dry-?run|help|version|check|plan|list|status|preview|no-save)\b|\b(?:plan|status|diff|history|list|show)\s*$/i;
const COMMIT = /\bgit commit\b/;
const COMMIT_MESSAGE = /\s-a?m\s+(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))/;
const HEREDOC_MESSAGE = /<<-?\s*'?"?(\w+)'?"?\r?\n([\s\S]*?)\r?\n\s*\1/;
const ATTRIBUTION = /^\s*(?:🤖|co-authored-by:|generated with|signed-off-by:)/iu;

const ERROR_LINE =
  /\b(?:error|exception|fatal|panic(?:ked)?|failed|failure|cannot|can't|could not|couldn't|unable to|denied|refused|timed? ?out|undefined|unresolved|not found|no such|missing|mismatch|unexpected|invalid|conflict|assert\w*|expected|segfault|killed|out of memory)\b|\bE[A-Z]{4,}\b|\bTS\d{4}\b|\b\w+(?:Error|Exception)\b/i;
/** Output of a failed command, for clients that do not report failure. */
const FAILED_OUTPUT =
  /^\s*(?:npm err!|traceback \(most recent call last\)|error(?:\[\w+\])?:|fatal:|panic:|make: \*\*\*|(?:fail(?:ed|ure)?s?)\b(?!ures?: 0)|e {3}\w*error|command failed|build failed|exit code:? [1-9]|(?:(?:process|command) )?exited with (?:code )?[1-9])|\b[1-9]\d* (?:tests? )?(?:failed|failing|errors?)\b(?!, 0)|\berror TS\d+:|\b(?:ELIFECYCLE|ENOENT|ECONNREFUSED|EADDRINUSE|ERESOLVE|EACCES)\b|error: (?:could not|process|failed)|^\s*[\w.]*(?:Error|Exception): /im;
/** Lines without information: stack frames, separators, status lines that a client adds. */
const UNTELLING_LINE =
  /^(?:at\s|\^+$|[-=~_*]{4,}$|npm err! (?:code|errno|a complete log|path)|(?:exit code:?|process exited with code) \d+$|(?:chunk id|wall time|original token count): |(?:final )?output:$)/i;
const TELLING_LINE =
  /\b(?:deployed|released|published|promoted|version|v\d+\.\d+|url|live|successful(?:ly)?|succeeded|applied|migrated|migrations?|completed?|done|rolled|created|updated|upgraded|pushed|digest|healthy|finished)\b/i;
const MOST_ERROR_LINES = 3;
const LONGEST_LINE = 240;
const LONGEST_COMMAND = 300;
const LONGEST_FOLDER = 120;

/** Codex passes a patch as the command of its tool. */
const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** Kinds of tools. */
type ToolKind = 'own' | 'shell' | 'edit' | 'other';

export function toolKind(tool: string, input: string): ToolKind {
  if (OWN_TOOL.test(tool)) return 'own';
  if (SHELL_TOOL.test(tool)) return OWN_COMMAND.test(input) ? 'own' : 'shell';
  return EDIT_TOOL.test(tool) ? 'edit' : 'other';
}

/** Names of the edited files: the given path, or those in the given patch. */
export function editedFiles(input: string): string[] {
  const patched = [...input.matchAll(PATCHED_FILE)].map(([, file = '']) => file);
  const paths = patched.length > 0 ? patched : input.includes('\n') ? [] : [input];
  return paths.map((path) => path.trim().split(/[\\/]/).at(-1) ?? path).filter((name) => name !== '');
}

/**
 * A normalized command for comparison: without the wrapping shell, leading `cd … &&`, variable assignments, output pipes and extra blanks.
 */
export function commandName(command: string): string {
  return command
    .trim()
    .replace(/^(?:\S*\/)?(?:ba|z|da)?sh -l?c\s+/, '')
    .replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, '')
    .replace(/^(?:[A-Z_][A-Z0-9_]*=\S*\s+)+/, '')
    .replace(/(?:\s*2>&1|\s*\|\s*(?:tail|head|grep|cat|tee|less)\b[^|]*)+\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export const isReadOnlyCommand = (command: string): boolean => LOOKING.test(command);

/** Whether an output looks like the output of a failed command. */
export const looksFailed = (output: string): boolean => FAILED_OUTPUT.test(output);

/** The first error lines of an output, or else its last line; undefined if it is empty. */
export function errorIn(output: string): string | undefined {
  const lines = plainText(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !UNTELLING_LINE.test(line));
  const telling = lines.filter((line) => ERROR_LINE.test(line)).slice(0, MOST_ERROR_LINES);
  const chosen = telling.length > 0 ? telling : lines.slice(-1);
  return chosen.length === 0 ? undefined : chosen.map((line) => cutText(line, LONGEST_LINE)).join(' / ');
}

/** The lasting effect of a successful command in one or two lines; undefined if it has none. */
export function lastingOutcome(command: string, output: string): string | undefined {
  const name = commandName(command);
  if (COMMIT.test(command)) return commitOutcome(command);
  if (isReadOnlyCommand(name) || REHEARSED.test(name)) return undefined;
  const verb = LASTING.find(([pattern]) => pattern.test(name))?.[1];
  // A shortened command could not be run again.
  if (verb === undefined || name.length > LONGEST_COMMAND) return undefined;
  const said = plainText(output)
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line.length > 8 && TELLING_LINE.test(line));
  const folder = /^\s*cd\s+(\S+)\s*(?:&&|;)/.exec(command)?.[1];
  const where = folder === undefined || folder.length > LONGEST_FOLDER ? '' : ` in ${folder}`;
  return `${verb}: \`${name}\`${where} succeeded.${said === undefined ? '' : ` ${cutText(said, LONGEST_LINE)}`}`;
}

/** A commit message without attribution lines; undefined if it is too short. */
function commitOutcome(command: string): string | undefined {
  const inline = COMMIT_MESSAGE.exec(command);
  const heredoc = HEREDOC_MESSAGE.exec(command);
  const message = heredoc?.[2] ?? inline?.[1] ?? inline?.[2] ?? inline?.[3];
  if (message === undefined || message.trim().startsWith('$(')) return undefined;
  const said = message
    .replaceAll('\\n', '\n')
    .split('\n')
    .filter((line) => !ATTRIBUTION.test(line))
    .join('\n')
    .trim();
  if (said.split(/\s+/).length < 4 || /^(?:wip|fixup!|squash!|tmp|temp|merge branch|checkpoint)\b/i.test(said)) return undefined;
  return `Committed: ${cutText(said, 1000)}`;
}

const EDITED = /^editing /;
/** An error that names its cause; a plain test failure does not. */
const NAMES_CAUSE =
  /\b(?!Assertion)\w*(?:Error|Exception)\b(?!s)|\bpanic: |\berror (?:TS|CS|C)\d+|\berror\[\w+\]|\bE(?:NOENT|CONN[A-Z]+|ADDRINUSE|ACCES|RESOLVE|PERM)\b|cannot find|not found|no such|denied|refused|already (?:in use|allocated)|unresolved|missing|undefined (?:reference|symbol)/i;

/**
 * Whether steps explain how a failure was fixed. An edit explains it only if the error names its cause; otherwise the following answer says
 * more.
 */
export const isRemedy = ({ error }: { readonly error: string }, steps: readonly string[]): boolean =>
  steps.some((step) => !EDITED.test(step)) || NAMES_CAUSE.test(error);

/** Text of a fix: the command, what was done before it succeeded, and the earlier error. */
export function fixOf(failure: { readonly command: string; readonly error: string }, steps: readonly string[]): string {
  const done = steps.length === 0 ? '' : ` after ${steps.join(', ')}`;
  const command = failure.command.length > LONGEST_COMMAND ? 'A command' : `\`${failure.command}\``;
  // The error stands last, so that a length limit cuts the error and not the remedy.
  return `${command} went through${done}. Before, it failed: ${failure.error}`;
}
