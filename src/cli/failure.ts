import { inspect } from 'node:util';
import { suggestion } from '../config/faults.ts';
import { stderrColors as pc } from './print/colors.ts';
import { LoreError, type ErrorCode } from '../memory/errors.ts';
import { printable } from './print/output.ts';

/** An error in the command line itself (unknown command or flag, missing argument); exit code 1. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}

/** The exit code of each kind of error, and its name in `--json`. */
const OUTCOMES = {
  usage: { exit: 1, code: 'USAGE' },
  not_found: { exit: 1, code: 'NOT_FOUND' },
  method_not_allowed: { exit: 1, code: 'METHOD_NOT_ALLOWED' },
  internal: { exit: 1, code: 'INTERNAL_ERROR' },
  filesystem: { exit: 2, code: 'FILESYSTEM' },
  unavailable: { exit: 2, code: 'UNAVAILABLE' },
  conflict: { exit: 2, code: 'CONFLICT' },
  config: { exit: 3, code: 'CONFIG' },
  unauthorized: { exit: 3, code: 'UNAUTHORIZED' },
  forbidden: { exit: 3, code: 'FORBIDDEN' },
  network: { exit: 4, code: 'NETWORK' },
  rate_limited: { exit: 4, code: 'RATE_LIMITED' },
  invalid_input: { exit: 5, code: 'INVALID_REQUEST' },
  unsupported_media_type: { exit: 5, code: 'INVALID_REQUEST' },
  too_large: { exit: 5, code: 'INVALID_REQUEST' },
  key_reused: { exit: 5, code: 'INVALID_REQUEST' },
} as const satisfies Record<ErrorCode | 'usage', { exit: 1 | 2 | 3 | 4 | 5; code: string }>;

/**
 * Prints an error and returns the exit code: one JSON object on stdout for scripts, or a reason and a hint on stderr for people.
 * `verbose` adds the chain of causes on stderr; `command` is the command whose help the hint names.
 */
export function reportFailure(error: unknown, options: { json: boolean; verbose: boolean; command?: string | undefined }): number {
  const { kind, message, hint } = failureOf(error, options.command);
  const { exit, code } = OUTCOMES[kind];
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ success: false, error: message, code, hint, exitCode: exit }, undefined, 2)}\n`);
  } else {
    process.stderr.write(`${pc.red('error:')} ${printable(message)}\n`);
    if (hint !== undefined) process.stderr.write(`${pc.dim('hint:')} ${printable(hint)}\n`);
  }
  if (options.verbose) for (const block of causeChain(error)) process.stderr.write(`${pc.dim('caused by:')} ${block}\n`);
  return exit;
}

/** The error in terms of the command line. */
interface Failure {
  readonly kind: ErrorCode | 'usage';
  /** One line. */
  readonly message: string;
  readonly hint: string | undefined;
}

const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'listen', 'bind']);

/** Classifies any thrown value: errors of Lore, of the argument parser, of the operating system, and unexpected ones. */
export function failureOf(error: unknown, command?: string): Failure {
  if (error instanceof LoreError) return { kind: error.code, message: error.message, hint: error.hint };
  if (error instanceof UsageError) return { kind: 'usage', message: error.message, hint: error.hint };
  if (!(error instanceof Error)) return { kind: 'internal', message: 'An unexpected error occurred.', hint: undefined };
  return parserFailure(error, command) ?? systemFailure(error) ?? unexpected(error);
}

/** The fields that the parser of oclif adds to its errors, as used here. */
interface ParserError extends Error {
  readonly args?: readonly { readonly name: string }[];
  readonly flags?: readonly string[];
  readonly parse?: { readonly input?: { readonly flags?: object } };
}

function parserFailure(error: ParserError, command: string | undefined): Failure | undefined {
  if (!('oclif' in error)) return undefined;
  const hint = `See \`${['lore', ...(command?.split(':') ?? []), '--help'].join(' ')}\`.`;
  const usage = (message: string): Failure => ({ kind: 'usage', message, hint });
  const invalid = (message: string): Failure => ({ kind: 'invalid_input', message, hint });
  const message = oneLine(error.message);
  switch (error.constructor.name) {
    case 'RequiredArgsError':
      return usage(missing((error.args ?? []).map(({ name }) => name)));
    case 'NonExistentFlagsError':
      return usage(unknownFlag(error));
    case 'FlagInvalidOptionError':
      return invalid(message.replace(/^Expected (--[\w-]+)=.* to be one of: (.*)$/s, '$1 must be one of $2.'));
    case 'ArgInvalidOptionError':
      return invalid(message.replace(/^Expected (.*) to be one of: (.*)$/s, 'Unknown value $1: choose one of $2.'));
    default:
      // The parser throws a plain CLIError for an invalid value and for a missing one.
      return error.message.startsWith('Parsing --') ? invalid(message) : usage(message);
  }
}

function unknownFlag({ flags = [], parse }: ParserError): string {
  const [first = ''] = flags;
  const near = suggestion(
    first,
    Object.keys(parse?.input?.flags ?? {}).map((name) => `--${name}`),
  );
  return `Unknown flag ${flags.join(', ')}.${near}`;
}

function systemFailure(error: Error): Failure | undefined {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (typeof syscall !== 'string' || typeof code !== 'string') return undefined;
  const kind = NETWORK_CALLS.has(syscall) ? 'network' : 'filesystem';
  return { kind, message: oneLine(error.message), hint: undefined };
}

function unexpected(error: Error): Failure {
  const hint = 'This is a bug in Lore. Run the command again with --verbose and report the output.';
  return { kind: 'internal', message: `Unexpected failure: ${oneLine(error.message)}`, hint };
}

/** `a, b and c are required.` */
function missing(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? `${last} is required.` : `${names.slice(0, -1).join(', ')} and ${last} are required.`;
}

/** The parser wraps its messages over several lines and adds its own hint. */
function oneLine(message: string): string {
  return message
    .replace(/\n*See more help with --help/, '')
    .replace(/^Parsing (--\S+)\s+/, '$1: ')
    .replace(/^The following errors? occurred:\s*/, '')
    .replace(/^Missing required flag (\S+)$/m, '--$1 is required.')
    .replaceAll(/^\s*(--[\w-]+)(?:=.*)? cannot also be provided when using (--[\w-]+)$/gm, '$2 and $1 cannot be used together.')
    .replaceAll(/^\s*All of the following must be provided when using (--[\w-]+): (.*)$/gm, '$1 needs $2.')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

/** The error and its causes, outermost first, one block each; for `--verbose`. */
export function causeChain(error: unknown): string[] {
  const blocks: string[] = [];
  for (let current: unknown = error; current !== undefined && blocks.length < 10;) {
    blocks.push(current instanceof Error ? (current.stack ?? `${current.name}: ${current.message}`) : inspect(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return blocks;
}
