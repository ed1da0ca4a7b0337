import { Args, Flags } from '@oclif/core';
import { SaveRequest, type SaveReceipt } from '../../memory/operations/operations.ts';
import { UsageError } from '../failure.ts';
import { receiptRemarks } from '../print/receipt.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { entriesNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { readText } from '../standard-input.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

export default class Save extends MemoryCommand {
  static override summary = 'Save a memory.';
  static override description =
    'Stores the text byte for byte in the namespace of the working directory, unless you pass --namespace or --global. The same text is not stored twice; its tags are merged. Near duplicates and contradicting entries are kept and listed.';
  static override examples = [
    '<%= config.bin %> save "We deploy with make ship; staging first" --tag deploy --tag ops',
    'git log -1 --format=%B | <%= config.bin %> save --tag history',
    '<%= config.bin %> save "I prefer tabs" --global --priority high',
    '<%= config.bin %> save "The backup starts at 04:00" --supersedes 01975a3d',
  ];
  static override args = {
    text: Args.string({ ignoreStdin: true, description: 'The text. Without it, or with -, the command reads standard input.' }),
  };
  static override flags = {
    global: Flags.boolean({ description: 'Save into the global namespace.' }),
    ...fieldFlags(SaveRequest, {
      tag: { char: 't', description: 'A tag; repeatable.' },
      namespace: { char: 'n', description: 'Namespace to save into.', exclusive: ['global'] },
      container: 'A group inside the namespace (default: the namespace itself).',
      priority: 'Priority (default normal).',
      near: {
        isOn: true,
        description: 'List entries that say nearly the same, or give another value for the same subject.',
      },
      supersedes: 'Id of an entry that this one replaces, or its first 8 or more characters; repeatable.',
      importance: 'Importance, 0 to 1 (default by priority, tags and source).',
    }),
  };

  async run(): Promise<SaveReceipt> {
    const { args, flags } = await this.parse(Save);
    const content = args.text === undefined || args.text === '-' ? await this.standardInput() : args.text;
    const { supersedes: _names, ...given } = fieldsOf(SaveRequest, flags);
    const checked = checkedRequest(SaveRequest, { ...given, content }, { content: 'text' });
    await using store = await this.openMemories(flags);
    const supersedes = await entriesNamed(flags.supersedes ?? [], store.memories);
    const request = supersedes.length === 0 ? checked : checkedRequest(SaveRequest, { ...given, content, supersedes });
    const { namespace } = await this.namespaceFor(store.loaded, flags.namespace);
    const receipt = await store.memories.save(flags.global ? request : { ...request, namespace }, { source: 'cli' });
    this.log(receipt.ids.join('\n'));
    this.note(receipt.message);
    if (this.jsonEnabled()) return receipt;
    for (const remark of await receiptRemarks(receipt, { memories: store.memories, bin: this.config.bin })) this.note(remark);
    return receipt;
  }

  private async standardInput(): Promise<string> {
    if (process.stdin.isTTY) throw new UsageError('There is no text to save.', 'Pass it as an argument or on standard input.');
    return readText(process.stdin);
  }
}
