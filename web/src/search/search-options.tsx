import { chooseOptions, MODES, useAddress } from '../address.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { Choice } from '../parts/segments.tsx';
import { Switch } from '../parts/switch.tsx';
import { searchTexts } from './texts.ts';

const { modes, options: words } = searchTexts;

/** Search mode and explanations. Stored in this browser. */
export function SearchOptions() {
  const { mode, explain } = useAddress();
  const button = (
    <>
      <Icon name="admin" size="sm" />
      <span class="word">{words.label}</span>
      {mode !== 'hybrid' && <b>{modes[mode]}</b>}
    </>
  );
  return (
    <Popover id="search-options" label={words.title} class="btn btn--quiet" button={button} title={words.title}>
      {() => (
        <div class="editor">
          <Choice
            legend={modes.legend}
            name="mode"
            options={MODES.map((value) => ({ value, label: modes[value] }))}
            value={mode}
            onChoose={(value) => chooseOptions({ mode: value })}
            hint={modes.explained[mode]}
          />
          <Switch
            label={words.explain}
            hint={words.explained}
            checked={explain}
            onChange={(checked) => chooseOptions({ explain: checked })}
          />
        </div>
      )}
    </Popover>
  );
}
