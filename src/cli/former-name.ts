import type { Command, Config } from '@oclif/core';

/** A name that a command had before it became another one's: the same with these flags, in no list of commands. */
export function formerName(present: Command.Class, flags: readonly string[] = []): Command.Class {
  abstract class Former extends present {
    static override readonly hidden = true;

    constructor(argv: string[], config: Config) {
      super([...flags, ...argv], config);
    }
  }
  return Former;
}
