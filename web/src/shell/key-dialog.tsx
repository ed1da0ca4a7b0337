import { useEffect, useState } from 'preact/hooks';
import { keyring } from '../api/keyring.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Paragraph } from '../parts/inline-text.tsx';
import { texts } from '../texts.ts';
import { Button } from '../parts/button.tsx';

interface Question {
  readonly rejected: boolean;
  readonly answer: (key: string | undefined) => void;
}

/** Asks for the API key when a request needs one. Mounted once. */
export function KeyDialog() {
  const [question, setQuestion] = useState<Question>();
  const [key, setKey] = useState('');
  useEffect(() => {
    keyring.askWith(
      (rejected) =>
        new Promise((resolve) => {
          const answer = (given: string | undefined): void => {
            setQuestion(undefined);
            setKey('');
            resolve(given);
          };
          setQuestion({ rejected, answer });
        }),
    );
  }, []);
  if (question === undefined) return null;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (key.trim() !== '') question.answer(key.trim());
  };
  return (
    <Dialog class="modal ask" labelledBy="key-title" onClose={() => question.answer(undefined)}>
      <form class="state" onSubmit={submit}>
        <Icon name="lock" />
        <h2 id="key-title">{texts.key.needed}</h2>
        <Paragraph text={texts.key.explained} />
        <div class="field wide">
          <label for="key">{texts.key.label}</label>
          <input
            id="key"
            class="input mono"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            value={key}
            aria-describedby={question.rejected ? 'key-error' : undefined}
            aria-invalid={question.rejected}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          {question.rejected && (
            <p class="error" id="key-error" role="alert">
              {texts.key.rejected}
            </p>
          )}
        </div>
        <div class="row">
          <Button type="submit" look="primary" label={texts.key.unlock} />
          <Button look="quiet" label={texts.cancel} onClick={() => question.answer(undefined)} />
        </div>
      </form>
    </Dialog>
  );
}
