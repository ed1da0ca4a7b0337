import { useState } from 'preact/hooks';
import { apiKeys, admin, type ApiKey, type KeysResponse } from '../api/administration.ts';
import { keyring } from '../api/keyring.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ago } from '../parts/formats.ts';
import { Moment } from '../parts/moment.tsx';
import { toast, attempt } from '../parts/toasts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { lock } from '../shell/lock.ts';
import { texts } from '../texts.ts';
import { NewKey, type NewKeyProps } from './new-key.tsx';
import { focusHeading } from './parts.ts';
import { TableBox } from '../parts/table-box.tsx';
import { Section, Refused, PartFailure } from './section.tsx';
import { adminTexts } from './texts.ts';
import { Button } from '../parts/button.tsx';
import type { Overview } from './use-overview.ts';

const words = adminTexts.keys;

export interface KeysProps extends Pick<NewKeyProps, 'made' | 'onMade' | 'onChanged'> {
  readonly overview: Overview;
}

/** The keys of the server, and the one of this tab. */
export function KeysSection({ overview: { mayAdminister, settings }, onChanged, ...rest }: KeysProps) {
  const load = (signal: AbortSignal): Promise<KeysResponse | undefined> => (mayAdminister ? apiKeys(signal) : Promise.resolve(undefined));
  const { last, error, again } = useLoaded(load, { about: String(mayAdminister) });
  const isOpen = settings?.access.keyRequired === false;
  const isBare = isOpen && error === undefined && (last === undefined || last.keys.length === 0);
  const hasKey = keyring.key !== undefined;
  const change = (): void => {
    again();
    onChanged();
  };
  return (
    <Section part="keys" folded={!isBare ? undefined : last === undefined ? '' : words.none}>
      <p class="note">{words.lead}</p>
      {error !== undefined ? <PartFailure error={error} onRetry={again} /> : !mayAdminister && <Refused />}
      {last !== undefined && last.keys.length > 0 && <KeyTable {...last} onChanged={change} />}
      {mayAdminister && <NewKey {...rest} isFirst={isOpen} onChanged={change} />}
      <div class="row row--wrap">
        <p class="ink2 small" role="status">
          {hasKey ? words.has : words.hasNot}
        </p>
        {hasKey && <Button look="sm" icon="lock" label={words.lock} onClick={lock} />}
      </div>
    </Section>
  );
}

function KeyTable({ keys, yours, onChanged }: KeysResponse & { onChanged: () => void }) {
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <TableBox class="stacks" label={words.table} columns={words.columns} actions={words.action}>
        {keys.map((key) => (
          <tr key={key.id}>
            <td class="breaks" title={words.id(key.id)}>
              {key.name}
            </td>
            <td class="breaks">{words.scope(key.access, key.namespace)}</td>
            <td>
              <Moment of={key.createdAt} />
            </td>
            <td>{key.lastUsedAt === undefined ? words.never : (ago(key.lastUsedAt) ?? words.now)}</td>
            <td>
              {key.name === yours ? (
                <span class="tag tag--set">{words.thisTab}</span>
              ) : (
                <Button look="quiet sm" label={words.revoke} aria-label={words.revokeOne(key.name)} onClick={() => setRevoking(key)} />
              )}
            </td>
          </tr>
        ))}
      </TableBox>
      {revoking !== undefined && <Revoking of={revoking} onClose={() => setRevoking(undefined)} onChanged={onChanged} />}
    </>
  );
}

function Revoking({ of: { id, name }, onClose, onChanged }: { of: ApiKey; onClose: () => void; onChanged: () => void }) {
  const revoke = (event: Event): void => {
    event.preventDefault();
    void attempt(async () => {
      await admin.keys.revoke({ id });
      onClose();
      toast(words.revoked(name));
      onChanged();
      // The button that had the focus is gone.
      focusHeading('keys-title');
    }, words.failed);
  };
  return (
    <Dialog class="modal ask" labelledBy="revoke-title" onClose={onClose}>
      <form class="state" onSubmit={revoke}>
        <h2 id="revoke-title">{words.ask(name)}</h2>
        <p>{words.askText}</p>
        <div class="row">
          <Button type="submit" look="danger" label={words.revoke} />
          <Button look="quiet" label={texts.cancel} onClick={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
