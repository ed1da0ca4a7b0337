import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { keyboardTexts } from './keyboard-texts.ts';
import '../styles/palette.css';
import { KEYS, keysOf, type KeyGroup } from './keys.ts';
import { KeySigns } from './key-signs.tsx';

const GROUPS = [...new Set(Object.values(KEYS).map(({ group }) => group))] as readonly KeyGroup[];

/** Every key of the page and what it does, from the table that makes it do so. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog class="modal" labelledBy="keyboard-title" onClose={onClose}>
      <header class="modal-h">
        <h2 id="keyboard-title">{texts.keyboard.title}</h2>
        <button type="button" class="icon-btn" aria-label={texts.close} title={texts.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <div class="help" tabIndex={0} role="region" aria-label={keyboardTexts.keys}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{keyboardTexts.groups[group]}</h3>
            <dl>
              {keysOf(group).map((name) => (
                <div key={name}>
                  <dt>{keyboardTexts.does[name]}</dt>
                  <dd>
                    <KeySigns name={name} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
