import { ratio } from '../parts/formats.ts';
import { resultTexts } from './result-texts.ts';
import { MatchedWords, partName, signed } from './breakdown.tsx';
import { partsOf, type Scored } from './scored.ts';

/** The explanation under a result: found words and score breakdown. */
export function RowWhy({ hit, text }: { readonly hit: Scored; readonly text: string }) {
  return (
    <div class="hit-why">
      {hit.explanation !== undefined && <MatchedWords explanation={hit.explanation} text={text} />}
      <p>
        <span class="dim">{resultTexts.score.label} </span>
        <span class="num">{ratio(hit.score)}</span>
        <span class="dim"> = </span>
        {partsOf(hit).map((part, at) => (
          <span key={part.name}>
            {at > 0 && part.hundredths > 0 && <span class="dim"> + </span>}
            {at > 0 && part.hundredths < 0 && ' '}
            {partName(part)} <span class="num">{signed(part)}</span>
          </span>
        ))}
      </p>
    </div>
  );
}
