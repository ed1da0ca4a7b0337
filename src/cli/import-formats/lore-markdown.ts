import { LoreError } from '../../memory/errors.ts';
import { parseEntryId } from '../../memory/entry.ts';
import { FolderImport } from './markdown-entries.ts';
import { MANIFEST } from '../markdown-folder/manifest.ts';
import { entryLines } from './entry-lines.ts';
import type { Format } from './format.ts';

/** A Markdown folder written by `lore export --markdown`, with edits. */
export const loreMarkdown: Format = {
  name: 'lore-markdown',
  readsFolders: true,
  unit: ['new, bad or conflicting file', 'new, bad or conflicting files'],
  recognise: ({ folder, start }) => {
    if (folder === undefined) return isEntryFile(start) ? 'it names an entry of Lore' : undefined;
    if (folder.paths.includes(MANIFEST)) return 'it is a folder written by `lore export --markdown`';
    return folder.starts.some(({ text }) => isEntryFile(text)) ? 'its files name entries of Lore' : undefined;
  },
  read: (input, { memories, forgetMissing = false, findings }) => {
    if (input.folder === undefined || memories === undefined) {
      throw new LoreError('invalid_input', `${input.name} is a file in a folder written by \`lore export --markdown\`.`, {
        hint: 'Import that folder.',
      });
    }
    const folder = new FolderImport({ folder: input.name, memories, findings, forgetMissing });
    const reading = entryLines(folder.items());
    return {
      ...reading,
      settle: (line) => {
        folder.settle(line);
        reading.settle(line);
      },
      finish: (how) => folder.finish(how),
    };
  },
};

/** Detected by the fields that only an export writes, in its order. */
function isEntryFile(start: string): boolean {
  const id = /^---\r?\nid: (\S+)\r?\nnamespace: /.exec(start)?.[1];
  return id !== undefined && parseEntryId(id) !== undefined;
}
