import { keyring } from '../api/keyring.ts';
import { Command } from '../parts/command.tsx';
import { Icon } from '../parts/icon.tsx';
import { lock } from '../shell/lock.ts';
import type { Overview } from './overview.ts';
import { adminTexts } from './texts.ts';
import { Section } from './section.tsx';

const words = adminTexts.keys;
const COMMANDS = [
  { title: words.make, command: 'lore auth generate-key --name laptop' },
  { title: words.makeReader, command: 'lore auth generate-key --name reader --read-only' },
  { title: words.makeBound, command: 'lore auth generate-key --name project --namespace owner/repo' },
  { title: words.list, command: 'lore auth list' },
] as const;

/** How to create keys, and the key of this tab. */
export function KeysSection({ overview: { settings } }: { overview: Overview }) {
  const hasKey = keyring.key !== undefined;
  const isOpen = !hasKey && settings?.access.keyRequired === false;
  return (
    <Section part="keys" folded={isOpen ? words.none : undefined}>
      <p class="note">{words.lead}</p>
      <div class="cards2 cmds">
        {COMMANDS.map(({ title, command }) => (
          <div key={command}>
            <h3 class="small">{title}</h3>
            <Command text={command} />
          </div>
        ))}
      </div>
      <section class="card" aria-labelledby="tab-key-title">
        <header class="card-h">
          <h3 id="tab-key-title">{words.thisTab}</h3>
        </header>
        <p class="ink2 small" role="status">
          {hasKey ? words.has : words.hasNot}
        </p>
        {hasKey && (
          <div class="row">
            <button type="button" class="btn" onClick={lock}>
              <Icon name="lock" />
              {words.lock}
            </button>
          </div>
        )}
      </section>
    </Section>
  );
}
