import { useAddress } from '../address.ts';
import { Bar } from '../parts/bar.tsx';
import { ratio } from '../parts/formats.ts';
import { searchTexts } from './texts.ts';
import { Breakdown, MatchedWords, PopBreakdown } from './breakdown.tsx';
import { lengthsOf, type Scored } from './scored.ts';
import { usePop } from './use-pop.ts';

const BAR = 52;
const LEGS = ['vector', 'keyword'] as const;
const TONES = { vector: 'v', keyword: 'k' } as const;
const SWATCHES = { vector: 'sw', keyword: 'sw sw--k' } as const;

/** The score in the margin with its split bar; hovering or focusing it opens what is behind it. `id` is unique on the page: it ties the two together. */
export function Score({ hit, id }: { readonly hit: Scored; readonly id: string }) {
  const { vector, keyword } = lengthsOf(hit);
  const pop = usePop();
  return (
    <div class={pop.class} {...pop.over}>
      <button ref={pop.button} type="button" class="score" aria-describedby={id} {...pop.on}>
        <span class="sr">{searchTexts.score.label}</span>
        <b>{ratio(hit.score)}</b>
        <svg class="bar2" viewBox={`0 0 ${BAR} 4`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="t" width={BAR} height="4" />
          <rect class="v" width={(vector * BAR).toFixed(1)} height="4" />
          <rect class="k" x={(vector * BAR).toFixed(1)} width={(keyword * BAR).toFixed(1)} height="4" />
        </svg>
      </button>
      <span class="pop" role="tooltip" id={id}>
        <span class="row row--between">
          <span class="label">{searchTexts.score.label}</span>
          <span class="num">{ratio(hit.score)}</span>
        </span>
        {LEGS.map((leg) => (
          <span key={leg} class="row row--between">
            <span class="row">
              <span class={SWATCHES[leg]} />
              {searchTexts.score[leg]}
            </span>
            <Found value={hit.scores[leg]} />
          </span>
        ))}
        {hit.explanation !== undefined && <PopBreakdown explanation={hit.explanation} />}
      </span>
    </div>
  );
}

/** The same as a box with long bars, and the words that were found in `content`. */
export function WhyThisResult({ hit, content }: { readonly hit: Scored; readonly content: string }) {
  const { q, explain } = useAddress();
  const { explanation } = hit;
  return (
    <section class="box box--pad" aria-label={searchTexts.score.why}>
      <h2 class="box-h">
        {searchTexts.score.why}
        <span class="num">{ratio(hit.score)}</span>
      </h2>
      <dl class="calc">
        {LEGS.map((leg) => [
          <dt key={leg}>
            <span class={SWATCHES[leg]} />
            {searchTexts.score[leg]}
          </dt>,
          <dd key={`${leg} bar`}>
            <Bar share={hit.scores[leg] ?? 0} tone={TONES[leg]} />
          </dd>,
          <dd key={`${leg} number`}>
            <Found value={hit.scores[leg]} />
          </dd>,
        ])}
      </dl>
      {explanation !== undefined && (
        <>
          <MatchedWords explanation={explanation} text={`${q} ${content}`} />
          {explain && <Breakdown explanation={explanation} />}
        </>
      )}
    </section>
  );
}

/** What a leg of the search found. */
function Found({ value }: { readonly value: number | undefined }) {
  return value === undefined ? <span class="dim">{searchTexts.score.absent}</span> : <span class="num">{ratio(value)}</span>;
}
