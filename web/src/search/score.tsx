import { Bar } from '../parts/bar.tsx';
import { ratio } from '../parts/formats.ts';
import { texts } from '../texts.ts';
import { partsOf, type Scored } from './weights.ts';

const BAR = 52;
const LEGS = ['vector', 'keyword'] as const;
const TONES = { vector: 'v', keyword: 'k' } as const;
const SWATCHES = { vector: 'sw', keyword: 'sw sw--k' } as const;

interface ScoreProps {
  readonly hit: Scored;
  /** Of the vector leg; undefined where it is not known: then no sum is shown. */
  readonly weight: number | undefined;
}

/** The score in the margin with its split bar; hovering or focusing it opens the sum. `id` is unique on the page: it ties the two together. */
export function Score({ hit, weight, id }: ScoreProps & { readonly id: string }) {
  const { vector, keyword } = partsOf(hit, weight);
  return (
    <button type="button" class="score" aria-describedby={id}>
      <span class="sr">{texts.score.label}</span>
      <b>{ratio(hit.score)}</b>
      <svg class="bar2" viewBox={`0 0 ${BAR} 4`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="t" width={BAR} height="4" />
        <rect class="v" width={(vector * BAR).toFixed(1)} height="4" />
        <rect class="k" x={(vector * BAR).toFixed(1)} width={(keyword * BAR).toFixed(1)} height="4" />
      </svg>
      <span class="pop" role="tooltip" id={id}>
        <span class="row row--between">
          <span class="label">{texts.score.label}</span>
          <span class="num">{ratio(hit.score)}</span>
        </span>
        {LEGS.map((leg) => (
          <span key={leg} class="row row--between">
            <span class="row">
              <span class={SWATCHES[leg]} />
              {texts.score[leg]}
            </span>
            <Found hit={hit} weight={weight} leg={leg} />
          </span>
        ))}
      </span>
    </button>
  );
}

/** The same sum as a box with long bars. */
export function WhyThisResult({ hit, weight }: ScoreProps) {
  return (
    <section class="box box--pad" aria-label={texts.score.why}>
      <h2 class="box-h">
        {texts.score.why}
        <span class="num">{ratio(hit.score)}</span>
      </h2>
      <dl class="calc">
        {LEGS.map((leg) => [
          <dt key={leg}>
            <span class={SWATCHES[leg]} />
            {texts.score[leg]}
          </dt>,
          <dd key={`${leg} bar`}>
            <Bar share={hit.scores[leg] ?? 0} tone={TONES[leg]} />
          </dd>,
          <dd key={`${leg} number`}>
            <Found hit={hit} weight={weight} leg={leg} />
          </dd>,
        ])}
      </dl>
    </section>
  );
}

/** What a leg found, and what that adds to the score. */
function Found({ hit, weight, leg }: ScoreProps & { readonly leg: (typeof LEGS)[number] }) {
  const value = hit.scores[leg];
  if (value === undefined) return <span class="dim">{texts.score.absent}</span>;
  return (
    <span class="num">
      {ratio(value)}
      {weight !== undefined && <span class="dim"> {texts.score.adds(ratio(partsOf(hit, weight)[leg]))}</span>}
    </span>
  );
}
