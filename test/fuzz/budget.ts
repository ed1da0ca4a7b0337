/** How much is tried, and from which seed: little and always the same, unless the environment says otherwise. */

/** Of a run in which nothing is asked for: the same cases every time, so that a run that fails fails again. */
const FIXED_SEED = 20_260_131;
const DEFAULT_CASES = 1_200;

const wholeNumber = (name: string, otherwise: number): number => {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not ${JSON.stringify(text)}.`);
  return value;
};

/** Cases of all files together. */
export const CASES = wholeNumber('LORE_FUZZ_CASES', DEFAULT_CASES);
export const SEED = wholeNumber('LORE_FUZZ_SEED', FIXED_SEED);

/** A share of all cases, at least one. */
export function share(part: number): number {
  return Math.max(1, Math.round(CASES * part));
}

/** A seed of its own for each property, so that they do not all try the same. */
export function seedOf(name: string): number {
  let hash = SEED | 0;
  for (const char of name) hash = (Math.imul(hash, 31) + char.codePointAt(0)!) | 0;
  return hash;
}

/** What brings a failing run back, for the end of its message. */
export function replay(file: string): string {
  return `Again: LORE_FUZZ_SEED=${SEED} LORE_FUZZ_CASES=${CASES} npx vitest run --config test/vitest.config.ts ${file}`;
}
