import { useMemo } from 'preact/hooks';
import type { Explanation } from '../api/forms.ts';
import { Bar } from '../parts/bar.tsx';
import { ratio } from '../parts/formats.ts';
import { searchTexts } from './texts.ts';
import { speller } from './marker.ts';
import { shownParts } from './scored.ts';

interface BreakdownProps {
  readonly explanation: Explanation;
}

/** Words for the parts of a rank; the server may know parts that this page does not. */
export const partName = (name: string): string => (searchTexts.score.parts as Readonly<Record<string, string>>)[name] ?? name;

/** Which words of the question were found, how, and which were not; as `text`, question and memory, spells them. */
export function MatchedWords({ explanation: { keyword }, text }: BreakdownProps & { readonly text: string }) {
  const spelled = useMemo(() => speller(text), [text]);
  if (keyword === undefined) return null;
  const found = keyword.terms.map((term) => searchTexts.score.term({ ...term, term: spelled(term.term), matched: spelled(term.matched) }));
  return (
    <p class="why-words">
      <span class="dim">{searchTexts.score.words} </span>
      {found.length === 0 ? searchTexts.score.none : found.join(', ')}
      {keyword.missing.length > 0 && <span class="dim">. {searchTexts.score.missing(keyword.missing.map(spelled).join(', '))}</span>}
    </p>
  );
}

/** What results are ordered by, part for part, inside the small box of a score: plain text and numbers. */
export function PopBreakdown({ explanation }: BreakdownProps) {
  return (
    <>
      <span class="pop-rule" />
      <span class="row row--between">
        <span class="label">{searchTexts.score.rankedBy}</span>
        <span class="num">{ratio(explanation.rankValue)}</span>
      </span>
      {shownParts(explanation).map(([name, part]) => (
        <span key={name} class="row row--between">
          {partName(name)}
          <span class="num">{ratio(part)}</span>
        </span>
      ))}
    </>
  );
}

/** The same with a bar for each part. */
export function Breakdown({ explanation }: BreakdownProps) {
  const parts = shownParts(explanation);
  const largest = Math.max(...parts.map(([, part]) => Math.abs(part)), Number.MIN_VALUE);
  return (
    <>
      <h3 class="box-h mt">
        {searchTexts.score.rankedBy}
        <span class="num">{ratio(explanation.rankValue)}</span>
      </h3>
      <dl class="calc">
        {parts.map(([name, part]) => [
          <dt key={name}>{partName(name)}</dt>,
          <dd key={`${name} bar`}>
            <Bar share={Math.abs(part) / largest} tone={name === 'vector' ? 'v' : 'k'} />
          </dd>,
          <dd key={`${name} number`}>
            <span class="num">{ratio(part)}</span>
          </dd>,
        ])}
      </dl>
    </>
  );
}
