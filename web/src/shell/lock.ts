import { keyring } from '../api/keyring.ts';
import { forgetDraft } from '../save/draft.ts';
import { forgetSearches } from './recent-searches.ts';
import { forgetSavedSearches } from './saved-searches.ts';

/** Forgets the key of this tab, and what was done with it, and leaves: nothing of what the key showed stays on the page. */
export function lock(): void {
  keyring.forget();
  forgetSearches();
  forgetSavedSearches();
  forgetDraft();
  // A browser may keep a page that is left, to show it again on the way back: it then shows nothing, and loads itself again.
  document.documentElement.hidden = true;
  addEventListener('pageshow', () => location.reload());
  location.assign('/');
}
