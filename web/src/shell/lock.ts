import { keyring } from '../api/keyring.ts';
import { forgetDraft } from '../save/draft.ts';
import { forgetSearches } from './recent-searches.ts';
import { forgetSavedSearches } from './saved-searches.ts';

/** Forgets the key of this tab and the data of its use, and leaves the page, so that nothing the key showed stays visible. */
export function lock(): void {
  keyring.forget();
  forgetSearches();
  forgetSavedSearches();
  forgetDraft();
  // A browser may cache the page for the back button: the cached page then shows nothing and reloads.
  document.documentElement.hidden = true;
  addEventListener('pageshow', () => location.reload());
  location.assign('/');
}
