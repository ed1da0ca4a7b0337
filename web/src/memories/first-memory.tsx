import { useState } from 'preact/hooks';
import { ApiError, save } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { EMPTY } from '../save/draft.ts';
import { useServer } from '../shell/server.tsx';
import { firstTexts } from './first-texts.ts';

const FIELD = 'first-memory';
const words = firstTexts.here;

export function FirstMemory() {
  const { changed } = useServer();
  const [content, setContent] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (content.trim() === '' || isBusy) return;
    setBusy(true);
    try {
      await save({ ...EMPTY, content });
      changed();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure.message);
      setBusy(false);
    }
  };
  return (
    <form class="stack small-gap" onSubmit={(event) => void submit(event)}>
      <label class="sr" for={FIELD}>
        {words.label}
      </label>
      <textarea
        id={FIELD}
        class="input"
        rows={3}
        dir="auto"
        value={content}
        placeholder={words.example}
        aria-describedby={error === undefined ? undefined : `${FIELD}-error`}
        onInput={(event) => setContent(event.currentTarget.value)}
      />
      {error !== undefined && (
        <p class="error" role="alert" id={`${FIELD}-error`}>
          {error}
        </p>
      )}
      <div class="row">
        <Button type="submit" look="primary" label={words.save} disabled={isBusy || content.trim() === ''} />
      </div>
    </form>
  );
}
