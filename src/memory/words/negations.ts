import { tokenize } from './tokens.ts';

/** Negating words in their indexed form. Most are stop words, so only ranking uses them. */
export const NEGATIONS: readonly string[] = [
  ...new Set(
    `
not no never none neither nor without cannot can't don't doesn't didn't isn't aren't wasn't won't mustn't shouldn't
avoid forbid forbidden prohibit prohibited ban banned disallow disallowed
nicht kein keine nie niemals ohne verboten ne pas jamais sans interdit не нет никогда без нельзя nunca sin nie bez 不 不要 禁止 しない 금지
`
      .trim()
      .split(/\s+/)
      .flatMap(tokenize),
  ),
];

const negations: ReadonlySet<string> = new Set(NEGATIONS);

/** Whether a token of `tokenize` is a negation. */
export const isNegation = (token: string): boolean => negations.has(token);
