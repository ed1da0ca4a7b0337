import { useState } from 'preact/hooks';
import { go } from '../address.ts';
import { admin, type ApiKey } from '../api/administration.ts';
import { keyring } from '../api/keyring.ts';
import { Command } from '../parts/command.tsx';
import { NameInput } from '../parts/name-input.tsx';
import { Choice } from '../parts/segments.tsx';
import { useServer } from '../shell/server.tsx';
import { adminTexts } from './texts.ts';
import { Button } from '../parts/button.tsx';
import { attempt } from '../parts/toasts.tsx';

const words = adminTexts.keys;

export interface CreatedKey {
  readonly name: string;
  readonly key: string;
}

export interface NewKeyProps {
  readonly isFirst: boolean;
  /** Shown until it is left. */
  readonly made: CreatedKey | undefined;
  readonly onMade: (made: CreatedKey) => void;
  readonly onChanged: () => void;
}

/** Creates a key and shows it once. The first one must be able to do everything: this tab takes it, because the server then requires one. */
export function NewKey({ isFirst, made, onMade, onChanged }: NewKeyProps) {
  const [name, setName] = useState('');
  const [access, setAccess] = useState<ApiKey['access']>('full');
  const [namespace, setNamespace] = useState('');
  const create = (event: Event): void => {
    event.preventDefault();
    void attempt(async () => {
      const wanted = isFirst ? { name } : { name, access, ...(namespace.trim() !== '' && { namespace }) };
      const { key } = await admin.keys.generate(wanted);
      onMade({ name, key });
      if (isFirst) {
        keyring.use(key);
        go({ part: 'keys' }, { replace: true });
      }
      setName('');
      onChanged();
    }, words.failed);
  };
  return (
    <section class="card" aria-labelledby="new-key-title">
      <header class="row row--wrap card-h">
        <h3 id="new-key-title">{words.make}</h3>
      </header>
      <div role="status">
        {made !== undefined && (
          <div class="stack small-gap">
            <p class="small">{words.made(made.name)}</p>
            <Command text={made.key} sign="" label={words.copy} copied={words.copied} />
          </div>
        )}
      </div>
      <form class="stack" onSubmit={create}>
        {isFirst && <p class="ink2 small">{words.first}</p>}
        <div class="field">
          <label for="key-name">{words.name}</label>
          <input
            id="key-name"
            class="input"
            autocomplete="off"
            required
            maxLength={64}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        {!isFirst && <Scope access={access} onAccess={setAccess} namespace={namespace} onNamespace={setNamespace} />}
        <div class="row">
          <Button type="submit" label={words.create} />
        </div>
      </form>
    </section>
  );
}

interface ScopeProps {
  readonly access: ApiKey['access'];
  readonly onAccess: (access: ApiKey['access']) => void;
  readonly namespace: string;
  readonly onNamespace: (namespace: string) => void;
}

function Scope({ access, onAccess, namespace, onNamespace }: ScopeProps) {
  const { namespaces } = useServer();
  return (
    <>
      <Choice
        legend={words.access}
        name="key-access"
        value={access}
        options={(['full', 'read'] as const).map((value) => ({ value, label: words.accesses[value] }))}
        onChoose={onAccess}
      />
      <div class="field">
        <label for="key-namespace">{words.namespace}</label>
        <NameInput
          id="key-namespace"
          value={namespace}
          placeholder={words.everyNamespace}
          known={namespaces.map((one) => one.namespace)}
          onType={onNamespace}
        />
      </div>
    </>
  );
}
