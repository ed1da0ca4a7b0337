import { Words } from '../parts/words.tsx';

export const Said = ({ text }: { text: string }) => (
  <p class="said">
    <Words text={text} />
  </p>
);
