import { Slider } from '../parts/slider.tsx';
import type { Range } from './kinds.ts';
import { filterTexts } from './texts.ts';

/** Minimum and maximum importance. The full range sets no filter. */
export function ImportanceEditor({ range, onChoose }: { range: Range; onChoose: (range: Range) => void }) {
  const { min, max } = range;
  return (
    <div class="editor">
      <Slider
        id="filter-min"
        label={filterTexts.atLeast}
        value={min ?? 0}
        onChoose={(value) => onChoose({ min: value === 0 ? undefined : value, max: max !== undefined && max < value ? undefined : max })}
      />
      <Slider
        id="filter-max"
        label={filterTexts.atMost}
        value={max ?? 1}
        onChoose={(value) => onChoose({ max: value === 1 ? undefined : value, min: min !== undefined && min > value ? undefined : min })}
      />
    </div>
  );
}
