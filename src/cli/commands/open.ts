import { Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { startBrowser } from '../server/browser.ts';
import { runningServer } from '../connection.ts';

interface Opened {
  readonly url: string;
  /** Whether a browser was started. */
  readonly opened: boolean;
}

export default class Open extends BaseCommand {
  static override summary = 'Open the web page of the running server.';
  static override description = 'Does not start a server; `lore serve` does. --print prints the address, for machines without a browser.';
  static override examples = ['<%= config.bin %> open', '<%= config.bin %> open --docs', '<%= config.bin %> open --print'];
  static override flags = {
    docs: Flags.boolean({ description: 'Open the API page.' }),
    print: Flags.boolean({ description: 'Only print the address.' }),
    url: Flags.string({ helpValue: 'URL', description: 'Use this server instead of the one that has the store open.' }),
  };

  async run(): Promise<Opened> {
    const { flags } = await this.parse(Open);
    const server = await runningServer(await this.settings(flags), flags.url);
    const url = new URL(flags.docs ? 'docs' : '.', server.endsWith('/') ? server : `${server}/`).href;
    if (flags.print) this.log(url);
    else {
      await startBrowser(url);
      this.log(`Opened ${url}`);
    }
    return { url, opened: !flags.print };
  }
}
