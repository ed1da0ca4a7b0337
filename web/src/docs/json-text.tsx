import { useMemo } from 'preact/hooks';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\btrue\b|\bfalse\b|\bnull\b)/g;
const COLOURED_CHARS = 100_000;

/** Highlighted JSON; other text is unchanged. Text nodes only. */
export function JsonText({ text, label }: { text: string; label: string }) {
  const tokens = useMemo(() => (text.length > COLOURED_CHARS ? [] : [...text.matchAll(TOKEN)]), [text]);
  let done = 0;
  return (
    // A scroll area must be reachable by keyboard.
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {tokens.map((token) => {
        const before = text.slice(done, token.index);
        const name = token[2] !== undefined;
        const coloured = token[1] ?? token[3] ?? '';
        done = token.index + coloured.length;
        return [
          before,
          <span key={token.index} class={name ? 'c-k' : token[1] === undefined ? 'c-n' : 'c-s'}>
            {coloured}
          </span>,
        ];
      })}
      {text.slice(done)}
    </pre>
  );
}
