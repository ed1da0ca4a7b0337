import { Link } from '../parts/link.tsx';
import { texts } from '../texts.ts';
import { useServer } from './server.tsx';

/** The server status in one line with a link to the administration. Shows nothing while all is well, if `quiet`. */
export function ServerStatus({ quiet = false }: { quiet?: boolean }) {
  const { state, health } = useServer();
  if (state === 'unknown') return <p class="status status--off dim">{texts.server.unknown}</p>;
  if (state === 'offline') return <p class="status status--bad">{texts.server.offline}</p>;
  if (state === 'locked') return <p class="status status--off">{texts.server.locked}</p>;
  const warnings = health?.degraded.length ?? 0;
  if (warnings === 0 && quiet) return null;
  if (warnings === 0) return <p class="status">{texts.server.ready}</p>;
  return (
    <Link to={{ view: 'admin' }} class="status status--warn under">
      {texts.server.warnings(warnings)}
    </Link>
  );
}
