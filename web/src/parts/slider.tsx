import { useState } from 'preact/hooks';
import { ratio } from './formats.ts';

const STEP = 0.05;

interface SlideProps {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  /** Whether it reports while it is dragged; else on release. */
  readonly live?: boolean;
  readonly onChoose: (value: number) => void;
}

/** A slider from 0 to 1 that shows its value while it is dragged. */
export function Slider({ id, label, value, live = false, onChoose }: SlideProps) {
  const [drawn, setDrawn] = useState<number>();
  const choose = (chosen: number): void => onChoose(Math.round(chosen * 100) / 100);
  return (
    <div class="field">
      <label class="row row--between" for={id}>
        {label}
        <output class="num" for={id}>
          {ratio(drawn ?? value)}
        </output>
      </label>
      <input
        id={id}
        class="slide"
        type="range"
        min="0"
        max="1"
        step={STEP}
        value={drawn ?? value}
        onInput={({ currentTarget: { valueAsNumber: chosen } }) => (live ? choose(chosen) : setDrawn(chosen))}
        onChange={(event) => {
          setDrawn(undefined);
          choose(event.currentTarget.valueAsNumber);
        }}
      />
    </div>
  );
}
