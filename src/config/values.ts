import type { SettingSource } from '../memory/operations/administration.ts';
import type { ConfigKey } from './keys.ts';

export type ValueSource = SettingSource;

/** The active value of a key. */
export interface ConfigValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: ValueSource;
  /** The variable or file that set it. */
  readonly from?: string;
  readonly secret: boolean;
}

/** A value of a key from one source. */
export interface GivenValue {
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly source: ValueSource;
  readonly from: string;
  /** False if it is from an untrusted project file. Default true. */
  readonly isTrusted?: boolean;
}

/** The value of a variable; empty counts as not set. */
export function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}
