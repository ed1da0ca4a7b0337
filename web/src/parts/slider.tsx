import { useState } from 'preact/hooks';
import { ratio } from './formats.ts';

const STEP = 0.05;

interface SlideProps {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly onChoose: (value: number) => void;
}

/** A slider from 0 to 1. Shows its value while it is dragged and reports it on release. */
export function Slider({ id, label, value, onChoose }: SlideProps) {
  const [drawn, setDrawn] = useState<number>();
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
        onInput={(event) => setDrawn(event.currentTarget.valueAsNumber)}
        onChange={(event) => {
          setDrawn(undefined);
          onChoose(Math.round(event.currentTarget.valueAsNumber * 100) / 100);
        }}
      />
    </div>
  );
}
