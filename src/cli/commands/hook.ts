import { Args, Flags } from '@oclif/core';
import { DEFAULT_CLIENT } from '../../hooks/arguments.ts';
import { BaseCommand } from '../base-command.ts';

export default class HookCommand extends BaseCommand {
  static override hidden = true;
  static override summary = 'Handle a hook event of a coding agent (`lore setup` configures it).';
  static override description =
    'Reads the JSON of the hook from standard input, hands it to the server that has the store open or lays it down for the next one, and prints the context that the program may add to its prompt. Ends with 0 within 1.5 s, whatever happens. `lore setup` enters it where it belongs; docs/capture.md tells what becomes of an event.';
  static override examples = [
    '<%= config.bin %> hook SessionStart --client claude < event.json',
    'echo \'{"session_id": "s1", "prompt": "We deploy with make ship from now on"}\' | <%= config.bin %> hook UserPromptSubmit',
  ];
  static override args = {
    event: Args.string({ description: 'The event, as the program names it (default: what the JSON says).' }),
  };
  static override flags = {
    client: Flags.string({
      default: DEFAULT_CLIENT,
      description: 'Which program it is, for the form of the answer: claude, cursor, windsurf, opencode, codex, vscode or gemini.',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookCommand);
    const { runHook } = await import('../../hooks/run-hook.ts');
    await runHook({ event: args.event ?? '', client: flags.client.toLowerCase(), configFile: flags.config });
  }
}
