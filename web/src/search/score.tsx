import { useAddress } from '../address.ts';
import { Bar } from '../parts/bar.tsx';
import { ratio } from '../parts/formats.ts';
import { resultTexts } from './result-texts.ts';
import { MatchedWords, partName, signed } from './breakdown.tsx';
import { partsOf, sourcesOf, type Part, type Scored, type Source } from './scored.ts';
import '../styles/results.css';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const BAR = 52;
const TONES = { meaning: 'v', words: 'k', other: 'o' } as const satisfies Record<Source, string>;

/** Parts of the score: by source, or one by one in explain mode. */
function useParts(hit: Scored): readonly Part[] {
  const { explain } = useAddress();
  const parts = partsOf(hit);
  return explain ? parts : sourcesOf(parts);
}

/** The score in the margin with its split bar. Hover or touch opens the breakdown; the keyboard finds it in the preview. `id` is unique on the page and links the two. */
export function Score({ hit, id }: { readonly hit: Scored; readonly id: string }) {
  const parts = useParts(hit);
  const pop = usePop();
  return (
    <div class={pop.class} {...pop.over}>
      <button ref={pop.button} type="button" class="score" tabIndex={-1} aria-describedby={id} {...pop.on}>
        <span class="sr">{resultTexts.score.label}</span>
        <b>{ratio(hit.score)}</b>
        <SplitBar parts={sourcesOf(parts)} />
      </button>
      <span class="pop" role="tooltip" id={id}>
        <span class="row row--between">
          <span class="label">{resultTexts.score.label}</span>
          <span class="num">{ratio(hit.score)}</span>
        </span>
        {parts.map((part) => (
          <span key={part.name} class="row row--between">
            <PartLabel part={part} />
            <span class="num">{signed(part)}</span>
          </span>
        ))}
      </span>
    </div>
  );
}

function SplitBar({ parts }: { parts: readonly Part[] }) {
  const gains = parts.filter(({ hundredths }) => hundredths > 0);
  const before = (at: number): number => gains.slice(0, at).reduce((sum, { hundredths }) => sum + hundredths, 0);
  return (
    <svg class="bar2" viewBox={`0 0 ${BAR} 4`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="t" width={BAR} height="4" />
      {gains.map(({ source, hundredths }, at) => (
        <rect
          key={source}
          class={TONES[source]}
          x={((before(at) / 100) * BAR).toFixed(1)}
          width={((hundredths / 100) * BAR).toFixed(1)}
          height="4"
        />
      ))}
    </svg>
  );
}

function PartLabel({ part }: { part: Part }) {
  return (
    <span class="row">
      <span class={`sw sw--${TONES[part.source]}`} />
      {partName(part)}
    </span>
  );
}

/** The breakdown with long bars, all on the scale of the score, and the words found in `content`. */
export function WhyThisResult({ hit, content }: { readonly hit: Scored; readonly content: string }) {
  const { q } = useAddress();
  const parts = useParts(hit);
  const { explanation } = hit;
  return (
    <section class="box box--pad" aria-label={resultTexts.score.why}>
      <h2 class="row row--between box-h">
        {resultTexts.score.why}
        <span class="num">{ratio(hit.score)}</span>
      </h2>
      <dl class="calc">
        {parts.map((part) => [
          <dt key={part.name}>
            <PartLabel part={part} />
          </dt>,
          <dd key={`${part.name} bar`}>
            <Bar share={Math.abs(part.hundredths) / 100} tone={TONES[part.source]} />
          </dd>,
          <dd key={`${part.name} number`} class="num">
            {signed(part)}
          </dd>,
        ])}
      </dl>
      <OneSource hit={hit} parts={parts} />
      {explanation !== undefined && <MatchedWords explanation={explanation} text={`${q} ${content}`} />}
    </section>
  );
}

/** Says that only one source counted, and why. */
function OneSource({ hit: { scores }, parts }: { readonly hit: Scored; readonly parts: readonly Part[] }) {
  const { mode } = useAddress();
  const { alone, noMeaning } = resultTexts.score;
  const isMatch = scores.vector !== undefined || parts.some(({ source }) => source === 'meaning');
  const said = mode !== 'hybrid' ? alone[mode] : isMatch ? undefined : noMeaning;
  return said === undefined ? null : <p class="why-words dim">{said}</p>;
}

/** Below this share of the window height a popover opens upwards. */
const LOWER_PART = 0.55;

/** Position of a score's popover. Escape closes it from any focus. Button and popover are in one element. */
function usePop() {
  const button = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<'down' | 'up'>('down');
  const [isOver, setOver] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const enter = (): void => {
    setAt((button.current?.getBoundingClientRect().top ?? 0) > innerHeight * LOWER_PART ? 'up' : 'down');
    setClosed(false);
    setOver(true);
  };
  const leave = (): void => {
    setOver(button.current?.parentElement?.matches(':hover, :focus-within') === true);
    setClosed(false);
  };
  useLayoutEffect(() => {
    if (!isOver || isClosed) return;
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setClosed(true);
    };
    document.addEventListener('keydown', pressed, { capture: true });
    return () => document.removeEventListener('keydown', pressed, { capture: true });
  }, [isOver, isClosed]);
  return {
    button,
    on: { onFocus: enter, onBlur: leave },
    /** Props of the element that contains the button and the popover. */
    over: { onMouseEnter: enter, onMouseLeave: leave },
    class: `score-box score-box--${at}${isClosed ? ' score-box--closed' : ''}`,
  };
}
