import { hookEditor, memberEditor, presetEditor } from './json-parts.ts';
import type { Editor, Part } from './part.ts';
import { markdownEditor } from './text-block.ts';
import { tomlEditor } from './toml-block.ts';
import { wholeEditor } from './whole-file.ts';

/** The editor of a part. */
export function editorOf(part: Part): Editor {
  switch (part.kind) {
    case 'member':
      return memberEditor(part);
    case 'hook':
      return hookEditor(part);
    case 'preset':
      return presetEditor(part);
    case 'markdown':
      return markdownEditor(part);
    case 'toml':
      return tomlEditor(part);
    case 'whole':
      return wholeEditor(part);
  }
}
