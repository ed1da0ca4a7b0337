import { useAddress } from '../address.ts';
import { Link } from '../parts/link.tsx';
import '../styles/details.css';

/** The first line of another memory as a link that opens it. */
export function OpenEntry({ id, title }: { id: string; title: string }) {
  const address = useAddress();
  return (
    <Link class="clip open-entry under" title={title} to={{ ...address, id }}>
      {title}
    </Link>
  );
}
