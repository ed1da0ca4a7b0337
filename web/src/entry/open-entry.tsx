import { go, useAddress, writeAddress } from '../address.ts';
import { plainClick } from '../parts/link.tsx';

/** The first line of another memory, as a link to it over what the page shows now. */
export function OpenEntry({ id, title }: { id: string; title: string }) {
  const address = useAddress();
  const follow = (event: MouseEvent): void => {
    if (!plainClick(event)) return;
    event.preventDefault();
    go({ id });
  };
  return (
    <a class="clip open-entry" title={title} href={writeAddress({ ...address, id })} onClick={follow}>
      {title}
    </a>
  );
}
