import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { importance } from '../../../src/memory/importance.ts';
import type { SaveInput } from '../api/client.ts';
import { counted } from '../parts/formats.ts';
import { PriorityField } from '../parts/priority-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { TagField } from '../parts/tag-field.tsx';
import { KeySigns } from '../shell/key-signs.tsx';
import { useServer } from '../shell/server.tsx';
import { NameInput } from '../parts/name-input.tsx';
import { texts } from '../texts.ts';
import { saveTexts } from './texts.ts';
import { entryTexts } from '../entry/texts.ts';
import { WithPreview } from '../entry/with-preview.tsx';

/** The server's error and its field. */
export interface FieldError {
  readonly field: keyof SaveInput | undefined;
  readonly message: string;
}

export const fieldId = (field: keyof SaveInput): string => `save-${field}`;

interface SaveFieldsProps {
  readonly input: SaveInput;
  readonly error: FieldError | undefined;
  readonly onChange: (patch: Partial<SaveInput>) => void;
  /** Content below the text. */
  readonly children?: ComponentChildren;
}

interface FieldProps {
  readonly name: keyof SaveInput;
  /** Absent if the field has its own label. */
  readonly label?: string;
  readonly hint?: ComponentChildren;
  readonly error: FieldError | undefined;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A labelled field with its hint, or the server's error in its place. */
function Field({ name, label, hint, error, class: extra, children }: FieldProps) {
  const wrong = error?.field === name;
  return (
    <div class={extra === undefined ? 'field' : `field ${extra}`}>
      {label !== undefined && <label for={fieldId(name)}>{label}</label>}
      {children}
      {wrong && (
        <p class="error" id={`${fieldId(name)}-error`} role="alert">
          {error.message}
        </p>
      )}
      {!wrong && hint !== undefined && (
        <div class="hint" id={`${fieldId(name)}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}

export function SaveFields({ input, error, onChange, children }: SaveFieldsProps) {
  const described = (name: keyof SaveInput) => ({
    'aria-invalid': error?.field === name,
    'aria-describedby': `${fieldId(name)}-${error?.field === name ? 'error' : 'hint'}`,
  });
  return (
    <>
      <Field name="content" error={error} hint={<ContentHint length={input.content.length} />}>
        <WithPreview id={fieldId('content')} label={saveTexts.content} text={input.content} base={1}>
          <textarea
            id={fieldId('content')}
            class="input"
            rows={8}
            value={input.content}
            onInput={(event) => onChange({ content: event.currentTarget.value })}
            {...described('content')}
          />
        </WithPreview>
      </Field>
      {children}
      <Field name="tags" label={texts.tags.label} error={error} hint={saveTexts.tagsHint} class="anchor">
        <TagField
          id={fieldId('tags')}
          tags={input.tags}
          invalid={error?.field === 'tags'}
          describedBy={described('tags')['aria-describedby']}
          onChange={(tags) => onChange({ tags })}
        />
      </Field>
      <Place input={input} error={error} onChange={onChange} described={described} />
      <PriorityField
        name={fieldId('priority')}
        priority={input.priority}
        importance={input.importance}
        follows={importance({ ...input, source: 'web' })}
        onChange={onChange}
      />
    </>
  );
}

function ContentHint({ length }: { length: number }) {
  return (
    <span class="row row--between">
      <span>
        {saveTexts.markdown} <KeySigns name="submit" /> {saveTexts.keySaves}
      </span>
      <span class="num">{counted(length, entryTexts.details.character, entryTexts.details.characters)}</span>
    </span>
  );
}

interface PlaceProps extends SaveFieldsProps {
  readonly described: (name: keyof SaveInput) => { 'aria-invalid': boolean; 'aria-describedby': string };
}

/** The namespace, and the container if the address names one, with suggestions. */
function Place({ input, error, onChange, described }: PlaceProps) {
  const { namespaces, health } = useServer();
  const own = health?.config.namespace;
  const containers = namespaces.find(({ namespace }) => namespace === (input.namespace === '' ? own : input.namespace))?.containers ?? [];
  // Containers are rare, so the field is shown only if the address names one.
  const hasContainer = useRef(false);
  hasContainer.current ||= input.container !== '';
  const namespaceHint = input.global ? saveTexts.namespaceGlobal : saveTexts.namespaceHint(input.namespace === '' ? own : undefined);
  return (
    <div class="cards2">
      <Field name="namespace" label={saveTexts.namespace} error={error} hint={namespaceHint}>
        <NameInput
          id={fieldId('namespace')}
          known={namespaces.map(({ namespace }) => namespace)}
          disabled={input.global}
          value={input.global ? '' : input.namespace}
          placeholder={input.global ? '' : own}
          onType={(namespace) => onChange({ namespace })}
          {...described('namespace')}
        />
      </Field>
      <Switch label={saveTexts.global} hint={saveTexts.globalHint} checked={input.global} onChange={(global) => onChange({ global })} />
      {hasContainer.current && (
        <Field name="container" label={saveTexts.container} error={error} hint={saveTexts.containerHint}>
          <NameInput
            id={fieldId('container')}
            known={containers}
            value={input.container}
            onType={(container) => onChange({ container })}
            {...described('container')}
          />
        </Field>
      )}
    </div>
  );
}
