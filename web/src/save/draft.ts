import type { Address } from '../address.ts';
import type { SaveInput } from '../api/client.ts';

const STORAGE_NAME = 'lore.draft';
export const EMPTY: SaveInput = {
  content: '',
  tags: [],
  namespace: '',
  container: '',
  priority: 'normal',
  importance: undefined,
  global: false,
};

/** The draft of this tab: it survives a change of view and a reload. */
let draft: SaveInput = kept();

function kept(): SaveInput {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '{}') as Partial<SaveInput>) };
  } catch {
    return EMPTY;
  }
}

export const readDraft = (): SaveInput => draft;

export function keepDraft(next: SaveInput): void {
  draft = next;
  try {
    sessionStorage.setItem(STORAGE_NAME, JSON.stringify(next));
  } catch {
    // Too large for the storage: it lasts as long as the page.
  }
}

/** Forgets the draft together with the key of this tab. */
export function forgetDraft(): void {
  draft = EMPTY;
  sessionStorage.removeItem(STORAGE_NAME);
}

/** Address fields that fill the form: `/?view=save&q=…&tag=…`. */
type Prefill = Pick<Address, 'q' | 'ns' | 'container' | 'tags' | 'priority'>;
export const NO_PREFILL: Prefill = { q: '', ns: '', container: '', tags: [], priority: '' };

/** The draft requested by an address, merged with the existing one; undefined if the address requests nothing. */
export function prefilled({ q, ns, container, tags, priority }: Prefill, before: SaveInput): Partial<SaveInput> | undefined {
  const isAsked = q !== '' || ns !== '' || container !== '' || tags.length > 0 || priority !== '';
  if (!isAsked) return undefined;
  const isKnown = q === '' || before.content.includes(q);
  return {
    ...(!isKnown && { content: before.content.trim() === '' ? q : `${before.content}\n\n${q}` }),
    ...(tags.length > 0 && { tags: [...new Set([...before.tags, ...tags])] }),
    ...(ns !== '' && { namespace: ns, global: false }),
    ...(container !== '' && { container }),
    ...(priority !== '' && { priority }),
  };
}
