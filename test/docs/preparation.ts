/** How the examples of a page find the machine on which they run: scripts of the shell, by how the example begins. */
export interface Preparation {
  /** Files of the working folder, or of the home (`~/`). */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Before the first example. */
  readonly start?: string;
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string>>;
  /** What stands for a text of the page here. */
  readonly instead?: Readonly<Record<string, string>>;
  /** The exit code, where the page promises another than 0. */
  readonly ends?: Readonly<Record<string, number>>;
  /** Runs until it is stopped: what happens meanwhile, and what it prints then. */
  readonly untilStopped?: Readonly<Record<string, readonly [meanwhile: string, prints: string]>>;
  /** The command of another shell that runs an example; the example is in ~/example. */
  readonly by?: Readonly<Record<string, string>>;
  /** Names that the programs of a page use as given, as expressions. */
  readonly given?: Readonly<Record<string, string>>;
}

/** For what a page calls ID. */
export const ID = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

export const SERVER = 'systemctl --user start lore';

/** Stores entries, with their ids. */
export const imported = (...entries: readonly object[]): string =>
  `lore import - <<'END'\n${entries.map((one) => JSON.stringify(one)).join('\n')}\nEND\n`;

/** The text of a file of JSON Lines. */
export const jsonLines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
