import { useEffect, useState } from 'preact/hooks';
import { Icon, type IconName } from '../parts/icon.tsx';
import { texts } from '../texts.ts';

const STORAGE_NAME = 'lore.theme';
export const THEMES = ['light', 'system', 'dark'] as const;
type Theme = (typeof THEMES)[number];
export const THEME_ICONS = { light: 'sun', system: 'auto', dark: 'moon' } as const satisfies Record<Theme, IconName>;

const listeners = new Set<() => void>();

/** The theme stored in this browser. */
export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem(STORAGE_NAME);
  } else {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(STORAGE_NAME, theme);
  }
  for (const listener of listeners) listener();
}

/** Light, dark or system; stored in this browser. `name` is unique on the page. */
export function ThemeSwitch({ name }: { name: string }) {
  const [theme, setTheme] = useState(chosenTheme);
  useEffect(() => {
    const changed = (): void => setTheme(chosenTheme());
    listeners.add(changed);
    return () => void listeners.delete(changed);
  }, []);
  return (
    <fieldset class="theme">
      <legend class="sr">{texts.theme.legend}</legend>
      {THEMES.map((option) => (
        <label key={option} title={texts.theme[option]}>
          <Icon name={THEME_ICONS[option]} size="sm" />
          <input
            type="radio"
            name={name}
            aria-label={texts.theme[option]}
            checked={theme === option}
            onChange={() => chooseTheme(option)}
          />
        </label>
      ))}
    </fieldset>
  );
}
