import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** What may be wider than the page scrolls by itself; only then a tab stop, so that the keyboard reaches all of it. */
export function Scroller({ label, children }: { label: string; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const box = element.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setScrolls(box.scrollWidth > box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={element} class="scroller" {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': label })}>
      {children}
    </div>
  );
}
