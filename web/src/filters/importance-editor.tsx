import type { Filter } from '../address.ts';
import { ratio } from '../parts/formats.ts';
import { Slide } from '../parts/slide.tsx';
import { filterTexts } from './texts.ts';

export type Range = Pick<Filter, 'min' | 'max'>;

/** `≥ 0.20`, `≤ 0.80`, `0.20 to 0.80`. */
export function rangeText({ min, max }: Range): string {
  if (max === undefined) return filterTexts.atLeastSign(ratio(min ?? 0));
  return min === undefined ? filterTexts.atMostSign(ratio(max)) : filterTexts.between(ratio(min), ratio(max));
}

/** Minimum and maximum importance. The full range sets no filter. */
export function ImportanceEditor({ range, onChoose }: { range: Range; onChoose: (range: Range) => void }) {
  const { min, max } = range;
  return (
    <div class="editor">
      <Slide
        id="filter-min"
        label={filterTexts.atLeast}
        value={min ?? 0}
        onChoose={(value) => onChoose({ min: value === 0 ? undefined : value, max: max !== undefined && max < value ? undefined : max })}
      />
      <Slide
        id="filter-max"
        label={filterTexts.atMost}
        value={max ?? 1}
        onChoose={(value) => onChoose({ max: value === 1 ? undefined : value, min: min !== undefined && min > value ? undefined : min })}
      />
    </div>
  );
}
