import { useEffect, useState } from 'preact/hooks';

export const PARTS = ['health', 'data', 'inbox', 'archive', 'integrations', 'keys', 'requests', 'settings'] as const;
export type Part = (typeof PARTS)[number];

/** The section in the address; default the first one. */
export const partOf = (text: string): Part => PARTS.find((part) => part === text) ?? PARTS[0];

/** Focuses a heading when the focused control disappears. */
export const focusHeading = (id: string): void => document.querySelector<HTMLElement>(`#${id}`)?.focus({ preventScroll: true });

/** The section being read: the one navigated to, until another is scrolled to. */
export function useReadPart(gone: Part): Part {
  const [read, setRead] = useState(gone);
  useEffect(() => setRead(gone), [gone]);
  useEffect(() => {
    const look = (): void => {
      const line = innerHeight / 3;
      const above = PARTS.filter((part) => (document.querySelector(`#${part}`)?.getBoundingClientRect().top ?? Infinity) <= line);
      setRead(above.at(-1) ?? PARTS[0]);
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return read;
}
