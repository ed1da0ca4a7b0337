import { keyring } from '../api/keyring.ts';
import { forgetSearches } from './recent-searches.ts';

/** Forgets the key of this tab and leaves: nothing of what the key showed stays on the page. */
export function lock(): void {
  keyring.forget();
  forgetSearches();
  location.assign('/');
}
