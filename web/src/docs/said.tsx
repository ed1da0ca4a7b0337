import { Words } from '../parts/words.tsx';

/** A description as a paragraph. */
export const Said = ({ text }: { text: string }) => (
  <p class="said">
    <Words text={text} />
  </p>
);
