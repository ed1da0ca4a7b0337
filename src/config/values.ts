import type { SettingSource } from '../memory/operations/administration.ts';
import type { ConfigKey } from './keys.ts';

export type ValueSource = SettingSource;

/** The value in use of one key. */
export interface ConfigValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: ValueSource;
  /** The variable or the file. */
  readonly from?: string;
  readonly secret: boolean;
}

/** A value that one source gives to one key. */
export interface Given {
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly source: ValueSource;
  readonly from: string;
  /** False where it comes from a project file that the user did not trust. Default true. */
  readonly isTrusted?: boolean;
}

/** A variable's value; empty counts as not set. */
export function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}
