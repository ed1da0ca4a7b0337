import { texts } from '../texts.ts';
import { Button } from './button.tsx';

interface PagingProps {
  /** Offset of the page. */
  readonly offset: number;
  readonly total: number;
  readonly size: number;
  readonly words: { readonly pages: string; readonly before: string; readonly after: string };
  /** Pages count from 0. */
  readonly onPage: (page: number) => void;
}

/** The page that an address names. The first is not named. */
export const pageOf = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : 0);
export const pageText = (page: number): string => (page === 0 ? '' : String(page));

/** Page buttons and the page number; nothing if there is only one page. */
export function Paging({ offset, total, size, words, onPage }: PagingProps) {
  if (total <= size) return null;
  const page = Math.floor(offset / size);
  const last = Math.min(offset + size, total);
  return (
    <nav class="row" aria-label={words.pages}>
      <Button look="sm" icon="left" label={words.before} disabled={page === 0} onClick={() => onPage(page - 1)} />
      <Button look="sm" after="right" label={words.after} disabled={last >= total} onClick={() => onPage(page + 1)} />
      <span class="dim small num" role="status">
        {texts.place(Math.min(offset + 1, last), last, total)}
      </span>
    </nav>
  );
}
