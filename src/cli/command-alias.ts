import type { Command, Config } from '@oclif/core';

/** A former command name that still works: runs another command with these flags, hidden from lists of commands. */
export function commandAlias(present: Command.Class, flags: readonly string[] = []): Command.Class {
  abstract class OldName extends present {
    static override readonly hidden = true;

    constructor(argv: string[], config: Config) {
      super([...flags, ...argv], config);
    }
  }
  return OldName;
}
