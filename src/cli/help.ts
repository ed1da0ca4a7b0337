import { CommandHelp, Help, type Interfaces } from '@oclif/core';
import { COMMAND_GROUPS, COMMAND_PAGES } from './groups.ts';
import { refuseCommand } from './unknown-command.ts';

/** Help of one command, with a usage of one line: the flags follow in a list of their own. */
class ShortUsage extends CommandHelp {
  protected override defaultUsage(): string {
    const args = Object.values(this.command.args).map(({ name, required, multiple }) => {
      const word = `${name.toUpperCase()}${multiple === true ? '...' : ''}`;
      return required === true ? word : `[${word}]`;
    });
    return [this.command.id, ...args, '[FLAGS]'].join(' ');
  }

  protected override sections(): ReturnType<CommandHelp['sections']> {
    return [...super.sections(), { header: 'DOCS', generate: () => pageOf(this.command.id) }];
  }
}

const pageOf = (id: string): string | undefined => {
  const page = COMMAND_PAGES[id.split(/[: ]/)[0]!];
  return page === undefined ? undefined : `docs/${page}`;
};

/** oclif's help, with the commands in groups. */
export default class GroupedHelp extends Help {
  protected override CommandHelpClass = ShortUsage;

  override async showHelp(argv: string[]): Promise<void> {
    const words = argv.filter((word) => !word.startsWith('-'));
    const [first] = words;
    const id = words.join(':');
    const isKnown = first === undefined || this.config.findCommand(id) !== undefined || this.config.findTopic(id) !== undefined;
    if (!isKnown && this.config.findCommand(first) === undefined) refuseCommand(words, this.config);
    await super.showHelp(argv);
  }

  protected override formatTopic(topic: Interfaces.Topic): string {
    const page = pageOf(topic.name);
    return page === undefined ? super.formatTopic(topic) : `${super.formatTopic(topic)}\n${this.section('DOCS', page)}\n`;
  }

  // oxlint-disable-next-line typescript/require-await -- the framework waits for it
  protected override async showRootHelp(): Promise<void> {
    const summaries = new Map<string, string>();
    for (const { name, description = '' } of this.sortedTopics) summaries.set(name, description);
    for (const { id, summary = '' } of this.sortedCommands) if (!summaries.has(id)) summaries.set(id, summary);
    this.log(this.formatRoot());
    for (const [title, names] of COMMAND_GROUPS) {
      const lines = names.map((name): [string, string] => [name, summaries.get(name) ?? '']);
      const list = this.renderList(lines, { indentation: 2, spacer: '\n', stripAnsi: this.opts.stripAnsi ?? false });
      this.log(`\n${this.section(title.toUpperCase(), list)}`);
    }
    this.log('');
  }
}
