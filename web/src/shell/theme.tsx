import { useState } from 'preact/hooks';
import { Icon, type IconName } from '../parts/icon.tsx';
import { texts } from '../texts.ts';

const STORAGE_NAME = 'lore.theme';
const THEMES = ['light', 'system', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const ICONS = { light: 'sun', system: 'auto', dark: 'moon' } as const satisfies Record<Theme, IconName>;

function chosen(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function choose(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem(STORAGE_NAME);
    return;
  }
  document.documentElement.dataset['theme'] = theme;
  localStorage.setItem(STORAGE_NAME, theme);
}

/** Light, dark, or as the system says; remembered by this browser. `name` is unique on the page. */
export function ThemeSwitch({ name }: { name: string }) {
  const [theme, setTheme] = useState(chosen);
  return (
    <fieldset class="theme">
      <legend class="sr">{texts.theme.legend}</legend>
      {THEMES.map((option) => (
        <label key={option} title={texts.theme[option]}>
          <Icon name={ICONS[option]} size="sm" />
          <input
            type="radio"
            name={name}
            aria-label={texts.theme[option]}
            checked={theme === option}
            onChange={() => {
              choose(option);
              setTheme(option);
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}
