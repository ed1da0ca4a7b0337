import type { Explanation } from '../api/forms.ts';
import { ratio } from '../parts/formats.ts';
import { searchTexts } from './texts.ts';
import { MatchedWords, partName } from './breakdown.tsx';
import { shownParts } from './scored.ts';

/** Under a result, where a person wants every one explained: which words were found, and what its place is made of. */
export function RowWhy({ explanation, text }: { readonly explanation: Explanation; readonly text: string }) {
  return (
    <div class="hit-why">
      <MatchedWords explanation={explanation} text={text} />
      <p>
        <span class="dim">{searchTexts.score.rankedBy} </span>
        <span class="num">{ratio(explanation.rankValue)}</span>
        <span class="dim"> = </span>
        {shownParts(explanation).map(([name, part], at) => (
          <span key={name}>
            {at > 0 && <span class="dim"> + </span>}
            {partName(name)} <span class="num">{ratio(part)}</span>
          </span>
        ))}
      </p>
    </div>
  );
}
