import { useEffect, useState } from 'preact/hooks';

/** The sections, from top to bottom. */
export const PARTS = ['health', 'data', 'inbox', 'archive', 'integrations', 'keys', 'requests', 'settings'] as const;
export type Part = (typeof PARTS)[number];

/** The section that an address names; the first where it names none. */
export const partOf = (text: string): Part => PARTS.find((part) => part === text) ?? PARTS[0];

/** Puts the focus on a heading, where the control that had it goes away. */
export const focusHeading = (id: string): void => document.querySelector<HTMLElement>(`#${id}`)?.focus({ preventScroll: true });

/** The section that is read: the one gone to, until another one is scrolled to. */
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
