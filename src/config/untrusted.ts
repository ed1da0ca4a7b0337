import { dirname } from 'node:path';
import { faultText, refusal, shownValue, type Fault } from './faults.ts';
import type { ConfigFile } from './files.ts';
import { mayProjectSet } from './project-trust.ts';

/** A project file that the user did not trust as it is now, as far as it does not count. */
export interface UntrustedFile {
  readonly path: string;
  /** Keys that only a trusted file may set, in the order of the file. */
  readonly keys: readonly string[];
  /** What is wrong in it. That stops nothing: only that part is left out. */
  readonly faults: readonly Fault[];
}

/** A file may have many errors: only the first few are printed. */
const FAULTS_SHOWN = 5;

/** The part of an untrusted file that counts, and the rest of it. Its faults are its own: a stranger must not stop the commands of this user. */
export function limitedToProject(file: ConfigFile): { readonly allowed: ConfigFile; readonly rest: UntrustedFile } {
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

/** What to say of such a file, and how its keys come to count. One sentence each; none where all of it counts. */
export function untrustedWarnings({ path, keys, faults }: UntrustedFile, userFile: string): string[] {
  const more = faults.length - FAULTS_SHOWN;
  return [
    ...(keys.length > 0 ? [`${unappliedText({ path, keys })} ${trustHint({ path }, userFile)}`] : []),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `Not applied: ${faultText(fault)}`),
    ...(more > 0 ? [`\`lore config --validate\` shows ${more} more errors of ${path}.`] : []),
  ];
}

/** `/p/lore.config.json sets storage.path, which is not applied: you did not trust this file.` */
export function unappliedText({ path, keys }: Pick<UntrustedFile, 'path' | 'keys'>): string {
  const [verb, subject] = keys.length === 1 ? ['is', ''] : ['are', `${keys.slice(0, -1).join(', ')} and `];
  return `${path} sets ${subject}${keys.at(-1) ?? ''}, which ${verb} not applied: you have not trusted this file as it is now.`;
}

/** The two ways in which such keys come to count. */
export function trustHint({ path }: Pick<UntrustedFile, 'path'>, userFile: string): string {
  return `To use them, put them into ${userFile}, or read the file and run \`lore trust\` in ${dirname(path)}.`;
}
