import { admin, type Integration } from '../api/administration.ts';
import { copy } from '../parts/toasts.tsx';
import { Paragraph, InlineText } from '../parts/inline-text.tsx';
import { texts } from '../texts.ts';
import { adminTexts } from './texts.ts';
import { Section, Refused, PartFailure } from './section.tsx';
import { useLoaded, type Loaded } from '../parts/use-loaded.ts';
import { Button } from '../parts/button.tsx';
import type { Overview } from './use-overview.ts';

const words = adminTexts.integrations;
const ABSENT = 404;

/** The state of each client that Lore can be set up for, with the command that fixes it. `checked` counts manual reloads. */
export function IntegrationsSection({ overview, checked }: { overview: Overview; checked: number }) {
  const { mayAdminister } = overview;
  const load = async (signal: AbortSignal): Promise<readonly Integration[]> => {
    if (!mayAdminister) return [];
    const { integrations } = await admin.administration.integrations({ signal });
    return integrations.filter(({ scope, state }) => scope === 'user' || state !== 'absent');
  };
  const loaded = useLoaded(load, { about: `${checked} ${mayAdminister}`, follows: false });
  const { last, error } = loaded;
  const clients = last ?? [];
  const isFine = mayAdminister && error === undefined && clients.every((client) => rank(client) > 0);
  const fine = last === undefined ? '' : words.fine(clients.filter(({ state }) => state === 'installed').length);
  return (
    <Section part="integrations" folded={isFine ? fine : undefined}>
      <p class="note">{words.lead}</p>
      {mayAdminister ? <Clients {...loaded} /> : <Refused />}
    </Section>
  );
}

function Clients({ last: clients, error, again }: Loaded<readonly Integration[]>) {
  if (error !== undefined) {
    if (error.status !== ABSENT) return <PartFailure error={error} onRetry={again} />;
    return <Paragraph class="dim small" text={error.message} />;
  }
  if (clients === undefined) return null;
  return (
    <ul class="box lined checks">
      {clients
        .toSorted((a, b) => rank(a) - rank(b))
        .map((client) => (
          <Client key={`${client.target} ${client.scope}`} client={client} />
        ))}
    </ul>
  );
}

/** Order of the groups: needs action, set up, available, not found. */
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
        <Button
          look="quiet sm"
          icon="copy"
          label={words.copyWord}
          aria-label={words.copy(title)}
          onClick={() => void copy(command, texts.commandCopied)}
        />
      )}
    </li>
  );
}

function Detail({ client: { state, found, files, findings, command } }: { client: Integration }) {
  if (state === 'installed') return <span class="dim breaks">{files.join(', ')}</span>;
  if (state === 'absent') {
    return (
      <span class="dim breaks">
        {!found && `${words.notFound}. `}
        <Run command={command} />
      </span>
    );
  }
  return (
    <span class="dim breaks">
      {findings.join(' ')} {command === undefined ? <InlineText text={words.byHand} /> : <Run command={command} />}
    </span>
  );
}

/** The path in the same line, or in its own line if it is long. */
function Run({ command }: { command: string | undefined }) {
  return (
    <span class="run">
      {words.run} <code>{command}</code>
    </span>
  );
}
