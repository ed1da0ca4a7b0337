import { Args } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { grammarOf, type Grammar } from '../completion/grammar.ts';
import { zshScript } from '../completion/zsh.ts';

const SCRIPTS = { bash: bashScript, fish: fishScript, zsh: zshScript } as const satisfies Record<string, (grammar: Grammar) => string>;
type Shell = keyof typeof SCRIPTS;

interface Completion {
  readonly shell: Shell;
  readonly script: string;
}

export default class CompletionCommand extends BaseCommand {
  static override summary = 'Print a completion script for bash, zsh or fish.';
  static override description =
    'Source the script when your shell starts. It starts no process when you press Tab. Print it again after an update.';
  static override examples = [
    { description: 'bash, in ~/.bashrc', command: 'eval "$(<%= config.bin %> completion bash)"' },
    { description: 'zsh, in ~/.zshrc after compinit', command: 'eval "$(<%= config.bin %> completion zsh)"' },
    { description: 'fish, in ~/.config/fish/config.fish', command: '<%= config.bin %> completion fish | source' },
  ];
  static override args = {
    shell: Args.string({ required: true, ignoreStdin: true, options: Object.keys(SCRIPTS), description: 'The shell.' }),
  };

  async run(): Promise<Completion> {
    const { args } = await this.parse(CompletionCommand);
    const shell = args.shell as Shell;
    const script = SCRIPTS[shell](grammarOf(this.config));
    this.log(script.trimEnd());
    return { shell, script };
  }
}
