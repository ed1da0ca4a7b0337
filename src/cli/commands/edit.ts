import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { UsageError } from '../failure.ts';
import { onShutdown } from '../shutdown.ts';
import { entryArg, entryNamed } from '../named-entry.ts';
import { MemoryCommand, type StoreFlags } from '../memory-command.ts';

export default class Edit extends MemoryCommand {
  static override summary = 'Edit the text of an entry in your editor.';
  static override description =
    'Opens the text in $VISUAL or $EDITOR and saves it when the editor exits. An unchanged or empty text changes nothing. `lore history ID --undo` undoes the change.';
  static override examples = ['<%= config.bin %> edit 01975a3e', 'EDITOR="code --wait" <%= config.bin %> edit 01975a3e'];
  static override args = { id: entryArg };

  async run(): Promise<{ readonly id: string; readonly changed: boolean }> {
    const { args, flags } = await this.parse(Edit);
    const editor = process.env['VISUAL'] || process.env['EDITOR'];
    if (!editor) throw new UsageError('No editor is set.', 'Set EDITOR, for example EDITOR=nano.');
    const before = await this.textOf(args.id, flags);
    const after = await edited(before.content, editor);
    const changed = after !== before.content && after.trim() !== '';
    // The store is closed while the editor is open.
    if (changed) await this.change(before, after, flags);
    this.log(changed ? 'Saved.' : 'Nothing was changed.');
    return { id: before.id, changed };
  }

  private async textOf(named: string, flags: StoreFlags): Promise<Entry> {
    await using store = await this.openMemories(flags);
    return await store.memories.get(await entryNamed(named, store.memories), { source: 'cli' });
  }

  private async change(before: Entry, content: string, flags: StoreFlags): Promise<void> {
    await using store = await this.openMemories(flags);
    const now = await store.memories.get(before.id, { source: 'cli' });
    if (now.content !== before.content) {
      const file = await draftFile(content);
      throw new LoreError('conflict', 'The entry changed while you edited it, so your text was not saved.', {
        hint: `Your text is in ${file}.`,
      });
    }
    await store.memories.update(before.id, { content }, { source: 'cli' });
  }
}

/**
 * Returns the text after editing. A line break added at the end is the editor's, not the user's. Rejects if the editor fails. Removes its
 * temporary file.
 */
async function edited(text: string, editor: string): Promise<string> {
  const file = await draftFile(text);
  const discard = (): Promise<void> => rm(dirname(file), { recursive: true, force: true });
  const forget = onShutdown(discard);
  try {
    // The editor may have arguments, as in git and other programs.
    const child = spawn(`${editor} ${JSON.stringify(file)}`, { shell: true, stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new LoreError('internal', `The editor exited with ${code ?? 'a signal'}; nothing was changed.`);
    const after = await readFile(file, 'utf8');
    return text.endsWith('\n') ? after : after.replace(/\r?\n$/, '');
  } finally {
    await discard();
    forget();
  }
}

/** A new file with a text, in a folder of its own that only this user can read. */
async function draftFile(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'lore-edit-')), 'memory.md');
  await writeFile(file, text);
  return file;
}
