import { useAddress } from '../address.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { texts } from '../texts.ts';
import { Brand } from './brand.tsx';
import { showOverlay } from './overlay.ts';
import { useServer } from './server.tsx';
import { ServerStatus } from './server-status.tsx';
import { allowedOf, TAB_ITEMS } from './views.ts';
import { IconButton } from '../parts/button.tsx';

export function TopBar() {
  return (
    <header class="top-m">
      <Brand />
      <span class="row">
        <ServerStatus />
        <IconButton icon="term" label={texts.open.palette} onClick={() => showOverlay('palette')} />
      </span>
    </header>
  );
}

export function TabBar() {
  const { view } = useAddress();
  const { mayWrite } = useServer();
  return (
    <nav class="tabbar" aria-label={texts.views.label}>
      {allowedOf(TAB_ITEMS, mayWrite).map((item) => (
        <Link key={item.view} to={{ view: item.view }} aria-current={view === item.view ? 'page' : undefined}>
          <Icon name={item.icon} />
          {texts.views.short[item.view]}
        </Link>
      ))}
    </nav>
  );
}
