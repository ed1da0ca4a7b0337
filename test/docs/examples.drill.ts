import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openMachine, type Machine } from '../drills/machine.ts';
import { environmentDaysAgo } from '../helpers/past.ts';
import { examplesOf, pagesWithExamples, type Example } from './blocks.ts';
import { NOT_RUN, whyNotRun } from './not-run.ts';
import { PREPARED } from './pages.ts';
import type { Preparation } from './preparation.ts';
import { hasShape, holds, withKnown, type Known } from './shape.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PATIENCE_MS = 480_000;
/** A repository `repo` with a commit, whose namespace is owner/repo; and a curl that ends with an error where the server answers with one. */
const START = `
curl() {
  [[ -z $LORE_KEY || "$*" == *"$LORE_KEY"* ]] || set -- -H "x-api-key: $LORE_KEY" "$@"
  command curl --fail-with-body "$@"
}
export GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=ana@example.com GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=ana@example.com
long_ago() { NODE_OPTIONS='${environmentDaysAgo(300)['NODE_OPTIONS']}' "$@"; }
set -o pipefail
mkdir -p repo && cd repo && git init -q && git remote add origin https://github.com/owner/repo.git && git commit -q --allow-empty -m 'The first commit'`;

const EXAMPLES = pagesWithExamples().flatMap((page) => examplesOf(page));
const RUN = EXAMPLES.filter(({ page, text }) => whyNotRun(page, text) === undefined);
const PAGES = [...new Set(RUN.map(({ page }) => page))];

describe('the examples of the documentation', { timeout: PATIENCE_MS }, () => {
  it('are found, and every exception exists', () => {
    expect(RUN.length).toBeGreaterThan(130);
    const named = Object.values(NOT_RUN).flat();
    const gone = named.filter(([on, start]) => !EXAMPLES.some(({ page, text }) => page === on && begins(text, start)));
    expect(gone).toEqual([]);
    const prepared = Object.entries(PREPARED).flatMap(([page, { before, after, ends, untilStopped, by }]) =>
      [before, after, ends, untilStopped, by].flatMap((one) => Object.keys(one ?? {})).map((start) => [page, start] as const),
    );
    expect(prepared.filter(([on, start]) => !RUN.some(({ page, text }) => page === on && begins(text, start)))).toEqual([]);
  });

  it.each(PAGES)('of %s do what the page says', async (page) => {
    const prepared = PREPARED[page] ?? {};
    await using machine = await openMachine({ env: { CLONE: ROOT } });
    await prepare(machine, START);
    await writeFiles(machine.home, prepared.files);
    await prepare(machine, prepared.start);
    const [before, after] = [once(prepared.before), once(prepared.after)];
    const known: Known = new Map([['/home/ana', '/home/ada'], ...Object.entries(prepared.instead ?? {})]);
    const faults: string[] = [];
    for (const [nth, example] of RUN.filter((one) => one.page === page).entries()) {
      await prepare(machine, withKnown(before(example) ?? '', known));
      const command =
        example.language === 'js'
          ? await program(machine, withKnown(example.text, known), nth, prepared)
          : await otherShell(machine, example, of(prepared.by, example));
      const ran = await run(machine, withKnown(command, known), of(prepared.untilStopped, example));
      faults.push(...faultsOf(example, ran, of(prepared.ends, example) ?? endOf(example), known));
      await prepare(machine, after(example) ?? '');
    }
    expect(faults.join('\n\n')).toBe('');
  });
});

/** By how an example begins; a line break at the end stands for its end. */
const begins = (text: string, start: string): boolean => `${text}\n`.startsWith(start);

const of = <V>(table: Readonly<Record<string, V>> | undefined, { text }: Example): V | undefined =>
  Object.entries(table ?? {}).find(([start]) => begins(text, start))?.[1];

/** The same for the first such example alone. */
function once(table: Readonly<Record<string, string>> = {}): (example: Example) => string | undefined {
  const left = { ...table };
  return ({ text }) => {
    const start = Object.keys(left).find((one) => begins(text, one));
    if (start === undefined) return undefined;
    const script = left[start];
    delete left[start];
    return script;
  };
}

const endOf = ({ text }: Example): number => Number(/# ends with (\d+)/.exec(text)?.[1] ?? 0);

async function writeFiles(home: string, files: Preparation['files'] = {}): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(home, 'repo', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function prepare(machine: Machine, script = ''): Promise<void> {
  if (script === '') return;
  const { output, code } = await machine.run(script);
  expect(code, `${script}\n${output}`).toBe(0);
}

/** Writes the example to a file for the command of another shell, if one runs it. */
async function otherShell({ home }: Machine, example: Example, by: string | undefined): Promise<string> {
  if (by === undefined) return commandOf(example);
  await writeFile(join(home, 'example'), `${example.text}\n`);
  return by;
}

/** In a clone the program is a file. */
const commandOf = ({ text }: Example): string => text.replace(/^node bin\/run\.js /, 'lore ');

async function run(machine: Machine, command: string, untilStopped: readonly [string, string] | undefined) {
  if (untilStopped === undefined) return await machine.run(command);
  const [meanwhile, prints] = untilStopped;
  return await machine.run(`
( exec ${command.replace(/^(\w+=\S+ )/, 'env $1').replaceAll(/\s+#.*$/gm, '')} ) > ~/printed 2>&1 & STARTED=$!
for _ in {1..300}; do
  ( ${meanwhile} ) > /dev/null 2>&1
  grep -qE ${JSON.stringify(prints)} ~/printed && break
  kill -0 $STARTED 2> /dev/null || break
  sleep 0.1
done
kill -TERM $STARTED; wait $STARTED; cat ~/printed; grep -qE ${JSON.stringify(prints)} ~/printed`);
}

/** Writes the program with the names that it uses as given, and returns the command that runs it. */
async function program({ home, url }: Machine, text: string, nth: number, { given = {} }: Preparation): Promise<string> {
  const names = Object.entries(given).filter(
    ([name]) => new RegExp(`\\b${name}\\b`).test(text) && !new RegExp(`\\bconst ${name}\\b`).test(text),
  );
  const folder = join(home, 'program');
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(ROOT, join(folder, 'node_modules/lore')).catch(() => undefined);
  const source = `${names.map(([name, value]) => `const ${name} = ${value};\n`).join('')}${text}\n`;
  await writeFile(join(folder, `${nth}.mjs`), source.replaceAll('http://127.0.0.1:7007', url));
  return `node ~/program/${nth}.mjs`;
}

function faultsOf(example: Example, { output, code }: { output: string; code: number }, ends: number, known: Known): string[] {
  const { page, text, answer } = example;
  const said = example.output;
  const where = `${page}: ${text}\n${output}`;
  if (code !== ends) return [`ended with ${code}, not ${ends}: ${where}`];
  if (said !== undefined && !hasShape(output, said, known)) return [`printed something else than:\n${withKnown(said, known)}\nin ${where}`];
  if (answer !== undefined && !holds(JSON.parse(output.split('\n')[0] ?? ''), answer)) return [`answers something else: ${where}`];
  return [];
}
