import { Dialog } from '../parts/dialog.tsx';
import { texts } from '../texts.ts';
import { keyboardTexts } from './keyboard-texts.ts';
import '../styles/palette.css';
import { KEYS, keysOf, type KeyGroup, type KeyName } from './keys.ts';
import { useServer } from './server.tsx';
import { KeySigns } from './key-signs.tsx';
import { IconButton } from '../parts/button.tsx';

const GROUPS = [...new Set(Object.values(KEYS).map(({ group }) => group))] as readonly KeyGroup[];

/** Keys that make changes. */
const WRITING: ReadonlySet<KeyName> = new Set(['save', 'undo', 'undoInField', 'edit', 'submit', 'tag']);

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const { mayWrite } = useServer();
  const isOffered = (name: KeyName): boolean => mayWrite || !WRITING.has(name);
  return (
    <Dialog class="modal" labelledBy="keyboard-title" onClose={onClose}>
      <header class="row row--between modal-h">
        <h2 id="keyboard-title">{texts.keyboard.title}</h2>
        <IconButton icon="x" label={texts.close} onClick={onClose} />
      </header>
      <div class="help" tabIndex={0} role="region" aria-label={keyboardTexts.keys}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3 class="label">{keyboardTexts.groups[group]}</h3>
            <dl>
              {keysOf(group)
                .filter(isOffered)
                .map((name) => (
                  <div key={name} class="row row--between small">
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
