import { Icon } from '../parts/icon.tsx';
import { Brand } from '../shell/brand.tsx';
import { ThemeSwitch } from '../shell/theme.tsx';
import { texts as shared } from '../texts.ts';
import type { Group } from './document.ts';
import { GUIDE_PARTS } from './guide.tsx';
import { Method } from './route-card.tsx';
import { texts } from './texts.ts';

export function Contents({ groups }: { groups: readonly Group[] }) {
  return (
    <aside class="side" aria-label={shared.main}>
      <Brand />
      <nav aria-label={shared.views.label}>
        <ul class="nav">
          <li>
            <a href="/">
              <Icon name="search" />
              {texts.memories}
            </a>
          </li>
          <li>
            <a href="/docs" aria-current="page">
              <Icon name="book" />
              {texts.title}
            </a>
          </li>
        </ul>
      </nav>
      <nav aria-label={texts.contents}>
        <div class="row row--between label side-h">
          <h2>{texts.guide.title}</h2>
        </div>
        <ul class="nav ns small">
          {GUIDE_PARTS.map((part) => (
            <li key={part}>
              <a href={`#guide-${part}`}>
                <span class="clip">{texts.guide.parts[part].short}</span>
              </a>
            </li>
          ))}
        </ul>
        {groups.map(({ name, routes }) => (
          <div key={name}>
            <div class="row row--between label side-h">
              <h2>{name}</h2>
            </div>
            <ul class="nav ns small">
              {routes.map(({ id, method, path }) => (
                <li key={id}>
                  <a href={`#${id}`} title={`${method.toUpperCase()} ${path}`}>
                    <Method method={method} />
                    <code class="clip">{path}</code>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="side-foot">
        <ThemeSwitch />
      </div>
    </aside>
  );
}

export function TopBar() {
  return (
    <header class="top-m">
      <Brand />
      <a class="btn btn--sm" href="/">
        {texts.memories}
      </a>
    </header>
  );
}
