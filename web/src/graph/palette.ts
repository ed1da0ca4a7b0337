const TOKENS = {
  ground: '--bg',
  surface: '--surface',
  ink: '--ink',
  ink2: '--ink-2',
  ink3: '--ink-3',
  line: '--line',
  control: '--line-control',
  accent: '--accent',
  accentSoft: '--accent-soft',
  mark: '--mark',
  high: '--prio-high',
  similar: '--rel-similar',
  supersedes: '--rel-supersedes',
  references: '--rel-references',
  contradicts: '--rel-contradicts',
  elaborates: '--rel-elaborates',
} as const;

/** The page's colours and font in the form that a canvas needs. */
export type Palette = Readonly<Record<keyof typeof TOKENS, string>> & { readonly font: string };

/** Reads the computed values of the current theme: the tokens themselves contain `light-dark(…)`. */
export function paletteOf(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(Object.entries(TOKENS).map(([name, token]) => [name, colour(token)]));
  const font = getComputedStyle(element).fontFamily;
  probe.remove();
  return { ...(colours as Record<keyof typeof TOKENS, string>), font };
}

/** Calls back when the theme changes, on the page or in the system. Returns a function that stops this. */
export function onThemeChange(call: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(call);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  dark.addEventListener('change', call);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', call);
  };
}
