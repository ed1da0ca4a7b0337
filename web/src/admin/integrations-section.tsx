import { integrations, type Integration } from '../api/administration.ts';
import { copy } from '../parts/toasts.tsx';
import { Icon } from '../parts/icon.tsx';
import { Words } from '../parts/words.tsx';
import { texts } from '../texts.ts';
import { adminTexts } from './texts.ts';
import { PartFailure } from './part-failure.tsx';
import { Section } from './section.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import type { Overview } from './overview.ts';
import { Refused } from './refused.tsx';

const words = adminTexts.integrations;
const ABSENT = 404;

/** How the clients stand that Lore can be set up for, and the command that mends each. */
export function IntegrationsSection({ overview, checked }: { overview: Overview; checked: number }) {
  return (
    <Section part="integrations">
      <p class="note">{words.lead}</p>
      {overview.mayAdminister ? <Clients checked={checked} /> : <Refused />}
    </Section>
  );
}

/** `checked` counts how often a person asked to look again. */
function Clients({ checked }: { checked: number }) {
  const { last: answer, error, again } = useLoaded(integrations, { about: String(checked), follows: false });
  if (error !== undefined) {
    if (error.status !== ABSENT) return <PartFailure error={error} onRetry={again} />;
    return (
      <p class="dim small">
        <Words text={error.message} />
      </p>
    );
  }
  if (answer === undefined) return null;
  const shown = answer.integrations.filter(({ scope, state }) => scope === 'user' || state !== 'absent');
  return (
    <ul class="box checks">
      {shown
        .toSorted((a, b) => rank(a) - rank(b))
        .map((client) => (
          <Client key={`${client.target} ${client.scope}`} client={client} />
        ))}
    </ul>
  );
}

/** What needs a person, what is set up, what could be, what is not here. */
function rank({ state, found }: Integration): number {
  if (state === 'installed') return 1;
  if (state !== 'absent') return 0;
  return found ? 2 : 3;
}

const toneOf = ({ state }: Integration): string => (state === 'installed' ? '' : state === 'absent' ? ' status--off' : ' status--warn');

function Client({ client }: { client: Integration }) {
  const { title, scope, state, command } = client;
  return (
    <li>
      <span>
        <b>{title}</b>
        {scope === 'project' && <span class="dim"> {words.inFolder}</span>}
      </span>
      <span class={`status${toneOf(client)}`}>{words.states[state]}</span>
      <Detail client={client} />
      {command === undefined ? (
        <span />
      ) : (
        <button
          type="button"
          class="btn btn--quiet btn--sm"
          aria-label={words.copy(title)}
          onClick={() => void copy(command, texts.commandCopied)}
        >
          <Icon name="copy" size="sm" />
          {words.copyWord}
        </button>
      )}
    </li>
  );
}

function Detail({ client: { state, found, files, findings, command } }: { client: Integration }) {
  if (state === 'installed') return <span class="dim">{files.join(', ')}</span>;
  if (state === 'absent') {
    return (
      <span class="dim">
        {!found && `${words.notFound}. `}
        <Run command={command} />
      </span>
    );
  }
  return (
    <span class="dim">
      {findings.join(' ')} {command === undefined ? <Words text={words.byHand} /> : <Run command={command} />}
    </span>
  );
}

/** On one line, or else on a line of its own. */
function Run({ command }: { command: string | undefined }) {
  return (
    <span class="run">
      {words.run} <code>{command}</code>
    </span>
  );
}
