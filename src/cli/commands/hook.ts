import { Args, Flags } from '@oclif/core';
import { DEFAULT_CLIENT } from '../../hooks/arguments.ts';
import { BaseCommand } from '../base-command.ts';

export default class HookCommand extends BaseCommand {
  static override hidden = true;
  static override summary = 'Handle a hook event of a coding agent (`lore setup` configures it).';
  static override description =
    'Reads the JSON of the hook from standard input, sends it to the server that has the store open or queues it for the next one, and prints context for the prompt. Always exits with 0 within 1.5 s. docs/capture.md describes how an event is processed.';
  static override examples = [
    '<%= config.bin %> hook SessionStart --client claude < event.json',
    'echo \'{"prompt": "We deploy with make ship"}\' | <%= config.bin %> hook UserPromptSubmit',
  ];
  static override args = {
    event: Args.string({ description: 'Name of the event in the client (default: from the JSON).' }),
  };
  static override flags = {
    client: Flags.string({
      default: DEFAULT_CLIENT,
      description: 'The client, for the format of the output: claude, cursor, windsurf, opencode, codex, vscode or gemini.',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookCommand);
    const { runHook } = await import('../../hooks/run-hook.ts');
    await runHook({ event: args.event ?? '', client: flags.client.toLowerCase(), configFile: flags.config });
  }
}
