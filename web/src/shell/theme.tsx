import { Icon, type IconName } from '../parts/icon.tsx';
import { watched } from '../parts/watched.ts';
import { texts } from '../texts.ts';

const STORAGE_NAME = 'lore.theme';
export const THEMES = ['light', 'system', 'dark'] as const;
type Theme = (typeof THEMES)[number];
export const THEME_ICONS = { light: 'sun', system: 'auto', dark: 'moon' } as const satisfies Record<Theme, IconName>;

const { dataset } = document.documentElement;
const stored = THEMES.find((one) => one === dataset['theme']) ?? 'system';
const theme = watched<Theme>(stored);
export const chosenTheme = theme.get;

export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') {
    delete dataset['theme'];
    localStorage.removeItem(STORAGE_NAME);
  } else {
    dataset['theme'] = chosen;
    localStorage.setItem(STORAGE_NAME, chosen);
  }
  theme.set(chosen);
}

/** Light, dark or system; stored in this browser. */
export function ThemeSwitch() {
  const current = theme.use();
  return (
    <fieldset class="theme">
      <legend class="sr">{texts.theme.legend}</legend>
      {THEMES.map((option) => (
        <label key={option} title={texts.theme[option]}>
          <Icon name={THEME_ICONS[option]} size="sm" />
          <input
            type="radio"
            name="theme"
            aria-label={texts.theme[option]}
            checked={current === option}
            onChange={() => chooseTheme(option)}
          />
        </label>
      ))}
    </fieldset>
  );
}
