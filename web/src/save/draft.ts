import type { SaveWish } from '../api/client.ts';

export const EMPTY: SaveWish = { content: '', tags: [], namespace: '', container: '', priority: 'normal', global: false };

/** What is being written. Lives as long as the page, so that a look at another view loses nothing. */
let draft = EMPTY;

export const readDraft = (): SaveWish => draft;

export function keepDraft(next: SaveWish): void {
  draft = next;
}
