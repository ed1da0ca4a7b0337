import { Flags } from '@oclif/core';
import type { SetupOutcome } from '../../integrations/setup.ts';
import type { TargetState, TargetStatus } from '../../integrations/target-states.ts';
import { TARGET_NAMES } from '../../integrations/target.ts';
import type { TeardownOutcome, UndoneFile } from '../../integrations/teardown.ts';
import { stdoutColors as pc } from './colors.ts';
import { lineDiff } from './line-diff.ts';
import { facts } from './output.ts';

/** The flag that selects clients. */
export const targetFlag = (description: string) =>
  Flags.option({ options: TARGET_NAMES, multiple: true })({ multipleNonGreedy: true, exclusive: ['all'], description });

type Action = SetupOutcome['files'][number]['action'] | UndoneFile['action'];

const DONE = {
  create: 'created',
  change: 'changed',
  keep: 'unchanged',
  remove: 'removed',
  restore: 'restored',
} as const satisfies Record<Action, string>;
const WOULD = {
  create: 'to create',
  change: 'to change',
  keep: 'unchanged',
  remove: 'to remove',
  restore: 'to restore',
} as const satisfies Record<Action, string>;

const WHAT = { server: 'MCP server', hooks: 'hooks', instructions: 'instructions', plugin: 'plugin' } as const;

/** A file without its text, which may contain secrets; in a dry run with the lines that would change. */
export type Reported<T> = Omit<T, 'before' | 'after'> & { readonly diff?: readonly string[] };

/** The files for `--json`. */
export function reported<T extends Changing>(files: readonly T[], { dryRun }: { dryRun: boolean }): Reported<T>[] {
  return files.map(({ before, after, ...file }) => ({ ...file, ...(dryRun && { diff: lineDiff(plain(before), plain(after)) }) }));
}

interface Changing {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The report of setup by client; in a dry run with the lines that would change. */
export function formatSetup(outcomes: readonly SetupOutcome[], { dryRun }: { dryRun: boolean }): string {
  return outcomes
    .map(({ target, title, scope, files, notes }) => {
      const heading = pc.bold(`${title} (${scope})`);
      const changed = files.filter(({ action }) => action !== 'keep');
      if (changed.length === 0) return `${heading}: nothing to do.`;
      const lines = files.map(({ path, purpose, action }) => line(action, path, { dryRun, what: WHAT[purpose] }));
      const undo = `\`lore teardown --target ${target}\` undoes all of it.`;
      return [heading, ...lines, ...(dryRun ? diffs(changed) : [...notes, undo])].join('\n');
    })
    .join('\n\n');
}

/** The report of teardown; in a dry run with the lines that would change. */
export function formatTeardown({ files, notes }: TeardownOutcome, { dryRun }: { dryRun: boolean }): string {
  if (files.length === 0) return 'Nothing to undo.';
  const lines = files.map(({ path, action, targets }) => line(action, path, { dryRun, what: targets.join(', ') }));
  return [...lines, ...(dryRun ? diffs(files) : notes)].join('\n');
}

function line(action: Action, path: string, { dryRun, what }: { dryRun: boolean; what: string }): string {
  const words = dryRun ? WOULD : DONE;
  const width = Math.max(...Object.values(words).map((word) => word.length));
  return `  ${words[action].padEnd(width)}  ${path} ${pc.dim(`(${what})`)}`;
}

function diffs(files: readonly Changing[]): string[] {
  return files
    .filter(({ before, after }) => before !== after)
    .flatMap(({ path, before, after }) => ['', pc.bold(path), ...lineDiff(plain(before), plain(after)).map(painted)]);
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n');

function painted(text: string): string {
  if (text.startsWith('+')) return pc.green(text);
  return text.startsWith('-') ? pc.red(text) : text;
}

/** One line per client; it mentions both scopes if both are set up. */
export function formatStates(states: readonly TargetStatus[]): string {
  const titles = [...new Set(states.map(({ title }) => title))];
  return facts(
    titles.map((title) => {
      const there = states.filter((one) => one.title === title && one.state !== 'absent');
      return [title, there.length === 0 ? 'absent' : there.map(({ state, scope }) => `${state} (${scope})`).join(', ')] as const;
    }),
  );
}

/** Fixes for outdated, changed and unreadable clients, one sentence each. */
export function remedies(states: readonly TargetStatus[]): string[] {
  return states
    .filter(({ findings }) => findings.length > 0)
    .map(({ target, title, scope, state, findings }) => {
      const command = `lore setup --target ${target}${scope === 'project' ? ' --scope project' : ''}`;
      return `${title} is ${state}: ${findings.join(' ')} ${REMEDIES[state](command)}`;
    });
}

const REMEDIES = {
  absent: () => '',
  installed: () => '',
  outdated: (command) => `\`${command}\` writes it again.`,
  'changed by hand': (command) => `\`${command} --force\` writes it again.`,
  unreadable: () => 'Repair it, or remove the entries named lore by hand.',
} as const satisfies Record<TargetState, (command: string) => string>;
