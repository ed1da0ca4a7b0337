import { basename, dirname, join, resolve } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import { textOf, textsOf } from '../../sources/readers/field-values.ts';
import type { JsonRecord } from '../../sources/readers/json-record.ts';
import { namespaceOfFolder, textFile } from './agent-folders.ts';
import { entryLines } from './entry-lines.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { noteItems, withQuotedFields, type Kind, type Item } from '../../sources/readers/markdown-note.ts';

const STORE = 'cursor';
const FIELDS = new Set(['description', 'globs', 'alwaysApply']);

/** Rules of Cursor: `.cursor/rules/*.mdc` with front matter, and the older `.cursorrules`. A section is an entry. */
export const cursor: Format = {
  name: STORE,
  readsFolders: true,
  unit: ['section', 'sections'],
  recognise: (input) => {
    if (input.shape === 'folder') {
      const place = resolve(input.name).replaceAll('\\', '/');
      const isOwn = /\/\.cursor(?:\/rules)?$/.test(place);
      const rules = input.folder?.paths.filter((path) => path.endsWith('.mdc')) ?? [];
      const others = input.folder?.paths.filter((path) => /\.(?:md|markdown)$/i.test(path) && !path.includes('.cursor/')) ?? [];
      return rules.length > 0 && (isOwn || others.length === 0) ? 'it contains rules of Cursor (.mdc)' : undefined;
    }
    if (input.extension === '.mdc') return 'its name ends in .mdc';
    return basename(input.name) === '.cursorrules' ? 'its name is .cursorrules' : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, { ...options, split: 'headings' })),
};

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  if (input.shape !== 'folder') {
    const read = await textFile(input.name).catch(() => undefined);
    yield* ruleItems({ file: resolve(input.name), place: input.name, text: await input.text(), modifiedMs: read?.modifiedMs }, options);
    return;
  }
  const paths = input.folder?.paths ?? [];
  const inRules = /(?:^|\/)\.cursor\/rules$/.test(resolve(input.name).replaceAll('\\', '/'));
  const rules = paths.filter(
    (path) =>
      path.endsWith('.mdc') ||
      (path.endsWith('.md') && (inRules || /(?:^|\/)(?:\.cursor\/)?rules\//.test(path))) ||
      basename(path) === '.cursorrules',
  );
  if (rules.length === 0) {
    throw new LoreError('invalid_input', `${input.name} has no rules of Cursor (.mdc).`, {
      hint: 'Name the folder of a project, or its .cursor/rules.',
    });
  }
  for (const path of rules) {
    const file = join(resolve(input.name), path);
    const place = join(input.name, path);
    const read = await textFile(file).catch(() => undefined);
    if (read === undefined) yield { place, problem: 'cannot be read' };
    else yield* ruleItems({ file, place, ...read }, options);
  }
}

interface Rule {
  readonly file: string;
  readonly place: string;
  readonly text: string;
  readonly modifiedMs: number | undefined;
}

async function* ruleItems({ file, place, text, modifiedMs }: Rule, options: ReadOptions): AsyncGenerator<Item> {
  const [, project = dirname(file)] = /^(.*?)[/\\]\.cursor(?:[/\\]|$)/.exec(file) ?? [];
  const kind: Kind = {
    namespace: await namespaceOfFolder(project),
    tags: ['cursor-rule'],
    reference: { store: STORE },
    fields: FIELDS,
    more: addition,
  };
  yield* noteItems({ path: basename(file), text: withQuotedFields(text, ['description', 'globs']), place, modifiedMs }, options, kind);
}

/** The description of a rule, and the files it applies to. */
function addition(fields: JsonRecord): ReturnType<NonNullable<Kind['more']>> {
  const globs = textsOf(fields['globs'])
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
  const about = textOf(fields['description'])?.trim();
  const scope = globs.length === 0 ? undefined : `For ${globs.join(', ')}.`;
  const lead = [about === undefined || /[.!?:]$/.test(about) ? about : `${about}.`, scope].filter((part) => part !== undefined).join(' ');
  return {
    lead: lead === '' ? undefined : lead,
    reference: { globs: globs.length === 0 ? undefined : globs, alwaysApply: fields['alwaysApply'] === true ? true : undefined },
  };
}
