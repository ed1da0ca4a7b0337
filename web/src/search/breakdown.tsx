import { useMemo } from 'preact/hooks';
import type { Explanation } from '../api/responses.ts';
import { ratio } from '../parts/formats.ts';
import { resultTexts } from './result-texts.ts';
import { wordOfStem } from './marker.ts';
import type { Part } from './scored.ts';

/** Names of score parts. The server may have parts that this page does not know. */
export const partName = ({ name }: Part): string => (resultTexts.score.parts as Readonly<Record<string, string>>)[name] ?? name;

/** `0.31`, `−0.05` */
export const signed = ({ hundredths }: Part): string => `${hundredths < 0 ? '−' : ''}${ratio(Math.abs(hundredths) / 100)}`;

/** Found and missing words of the query, with how they matched. */
export function MatchedWords({ explanation: { keyword }, text }: { readonly explanation: Explanation; readonly text: string }) {
  const spelled = useMemo(() => wordOfStem(text), [text]);
  if (keyword === undefined) return null;
  const found = keyword.terms.map((term) => resultTexts.score.term({ ...term, term: spelled(term.term), matched: spelled(term.matched) }));
  return (
    <p class="why-words">
      <span class="dim">{resultTexts.score.words} </span>
      {found.length === 0 ? resultTexts.score.none : found.join(', ')}
      {keyword.missing.length > 0 && <span class="dim">. {resultTexts.score.missing(keyword.missing.map(spelled).join(', '))}</span>}
    </p>
  );
}
