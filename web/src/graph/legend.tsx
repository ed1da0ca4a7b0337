import { RELATION_TYPES } from '../../../src/memory/vocabulary.ts';
import { go, useAddress } from '../address.ts';
import { count } from '../parts/formats.ts';
import { CheckBox } from '../parts/check.tsx';
import { RelationMark } from '../parts/relation-mark.tsx';
import { Slider } from '../parts/slider.tsx';
import { texts } from '../texts.ts';
import { graphTexts } from './texts.ts';
import type { RelationType, Shown } from './network.ts';
import { Button } from '../parts/button.tsx';

/** The relation types with their line style, count, and a switch that hides each. */
export function Legend({ shown, open, id }: { shown: Shown; open: boolean; id: string }) {
  const { hide, strength = 0 } = useAddress();
  const filtered = hide.length > 0 || strength > 0;
  return (
    <form class={open ? 'g-float g-legend g-legend--open' : 'g-float g-legend'} id={id} aria-label={graphTexts.filters}>
      <fieldset>
        <legend class="label">{graphTexts.relations}</legend>
        <ul class="g-types">
          {RELATION_TYPES.map((type) => (
            <li key={type}>
              <TypeSwitch type={type} count={shown.byType[type]} />
            </li>
          ))}
        </ul>
      </fieldset>
      <Slider
        id="graph-strength"
        label={graphTexts.strength}
        value={strength}
        live
        onChoose={(least) => go({ strength: least === 0 ? undefined : least }, { replace: true })}
      />
      <PriorityKey />
      {filtered && <Button look="sm" label={graphTexts.reset} onClick={() => go({ hide: [], strength: undefined })} />}
    </form>
  );
}

function TypeSwitch({ type, count: links }: { type: RelationType; count: number }) {
  const { hide } = useAddress();
  const on = !hide.includes(type);
  const toggle = (): void => go({ hide: on ? [...hide, type] : hide.filter((one) => one !== type) }, { replace: true });
  return (
    <label>
      <CheckBox checked={on} onChange={toggle} />
      <RelationMark type={type} />
      <span class="num hint hint--end">{count(links)}</span>
    </label>
  );
}

const SIZES = { high: 8, normal: 6.5, low: 5 } as const;

function PriorityKey() {
  return (
    <div class="field">
      <span class="label">{graphTexts.key}</span>
      <ul class="g-key">
        {(['high', 'normal', 'low'] as const).map((priority) => (
          <li key={priority}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <circle class={`g-node g-node--${priority}`} cx="10" cy="10" r={SIZES[priority]} />
            </svg>
            {texts.priorities[priority]}
          </li>
        ))}
      </ul>
    </div>
  );
}
