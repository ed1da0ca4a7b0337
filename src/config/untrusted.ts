import { dirname } from 'node:path';
import { faultText, refusal, shownValue, type Fault } from './faults.ts';
import type { ConfigFile } from './files.ts';
import { mayProjectSet } from './project-trust.ts';

/** The ignored part of a project file whose current content the user has not trusted. */
export interface UntrustedFile {
  readonly path: string;
  /** Keys that only a trusted file may set, in file order. */
  readonly keys: readonly string[];
  /** Faults in it. Only the faulty parts are ignored. */
  readonly faults: readonly Fault[];
}

/** Maximum number of printed faults. */
const FAULTS_SHOWN = 5;

/**
 * Splits an untrusted file into the allowed part and the rest. Faults go to the rest: a cloned file must not stop the commands of this
 * user.
 */
export function splitUntrusted(file: ConfigFile): { readonly allowed: ConfigFile; readonly rest: UntrustedFile } {
  const faults: Fault[] = [...file.faults];
  const keys: string[] = [];
  const entries = file.entries.filter(({ key, value }) => {
    const isValid = key.schema.safeParse(value).success;
    if (!mayProjectSet(key.path, value)) keys.push(key.path);
    else if (isValid) return true;
    else faults.push({ key: key.path, value: shownValue(value, false), from: file.path, problem: refusal(key) });
    return false;
  });
  return { allowed: { ...file, entries, faults: [] }, rest: { path: file.path, keys, faults } };
}

/** Warnings about the ignored part and how to apply it, one sentence each; empty if nothing is ignored. */
export function untrustedWarnings({ path, keys, faults }: UntrustedFile, userFile: string): string[] {
  const more = faults.length - FAULTS_SHOWN;
  return [
    ...(keys.length > 0 ? [`${unappliedText({ path, keys })} ${trustHint({ path }, userFile)}`] : []),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `Not applied: ${faultText(fault)}`),
    ...(more > 0 ? [`\`lore config --validate\` shows ${more} more errors of ${path}.`] : []),
  ];
}

/** Names the ignored keys: `/p/lore.config.json sets storage.path, which is not applied: …`. */
export function unappliedText({ path, keys }: Pick<UntrustedFile, 'path' | 'keys'>): string {
  const [verb, subject] = keys.length === 1 ? ['is', ''] : ['are', `${keys.slice(0, -1).join(', ')} and `];
  return `${path} sets ${subject}${keys.at(-1) ?? ''}, which ${verb} not applied: you have not trusted this file as it is now.`;
}

/** How to apply the ignored keys. */
export function trustHint({ path }: Pick<UntrustedFile, 'path'>, userFile: string): string {
  return `To use them, put them into ${userFile}, or read the file and run \`lore trust\` in ${dirname(path)}.`;
}
