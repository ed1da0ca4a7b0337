import { readAddress, useAddress } from '../address.ts';
import { GLOBAL_NAMESPACE } from '../../../src/memory/vocabulary.ts';
import { count } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { texts } from '../texts.ts';
import { Brand } from './brand.tsx';
import { KeySigns } from './key-signs.tsx';
import { LiveStatus } from './live.tsx';
import { showOverlay } from './overlay.ts';
import { hrefOf, useSavedSearches } from './saved-searches.ts';
import { useServer } from './server.tsx';
import { ServerStatus } from './server-status.tsx';
import { ThemeSwitch } from './theme.tsx';
import { allowedOf, SIDE_ITEMS } from './views.ts';
import { IconButton } from '../parts/button.tsx';

const SHOWN_NAMESPACES = 12;

export function Side() {
  const { view } = useAddress();
  const { mayWrite } = useServer();
  return (
    <aside class="side" id="side" tabIndex={-1} aria-label={texts.main}>
      <Brand />
      <nav aria-label={texts.views.label}>
        <ul class="nav">
          {allowedOf(SIDE_ITEMS, mayWrite).map((item) => (
            <li key={item.view}>
              <Link to={{ view: item.view }} aria-current={view === item.view ? 'page' : undefined}>
                <Icon name={item.icon} />
                {texts.views[item.view]}
                {item.does !== undefined && <KeySigns name={item.does} only="first" />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <SavedSearches />
      <Namespaces />
      <div class="side-foot">
        <ServerStatus quiet />
        <LiveStatus />
        <div class="row row--between side-foot-row">
          <ThemeSwitch />
          <span class="row">
            <IconButton icon="term" label={texts.open.palette} onClick={() => showOverlay('palette')} />
            <IconButton icon="keyboard" label={texts.open.help} onClick={() => showOverlay('help')} />
            <a class="icon-btn" href="/docs" aria-label={texts.open.docs} title={texts.open.docs}>
              <Icon name="book" />
            </a>
          </span>
        </div>
      </div>
    </aside>
  );
}

function SavedSearches() {
  const searches = useSavedSearches();
  const address = useAddress();
  if (searches.length === 0) return null;
  return (
    <nav aria-labelledby="side-searches">
      <div class="row row--between label side-h">
        <h2 id="side-searches">{texts.savedSearches}</h2>
      </div>
      <ul class="nav ns small">
        {searches.map(({ name, href }) => (
          <li key={href}>
            <Link
              to={readAddress(href.slice(1))}
              title={name}
              aria-current={address.view === 'memories' && href === hrefOf(address) ? 'true' : undefined}
            >
              <Icon name="search" size="sm" />
              <span class="clip">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Namespaces() {
  const { namespaces } = useServer();
  const { view, ns } = useAddress();
  if (namespaces.length === 0) return null;
  return (
    <nav aria-labelledby="side-namespaces">
      <div class="row row--between label side-h">
        <h2 id="side-namespaces">{texts.namespaces}</h2>
      </div>
      <ul class="nav ns small">
        {namespaces.slice(0, SHOWN_NAMESPACES).map(({ namespace, entries }) => (
          <li key={namespace}>
            <Link to={{ ns: namespace }} title={namespace} aria-current={view === 'memories' && ns === namespace ? 'true' : undefined}>
              <Icon name={namespace === GLOBAL_NAMESPACE ? 'globe' : 'ns'} size="sm" />
              <span class="clip">{namespace}</span>
              <span class="num hint hint--end">{count(entries)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
