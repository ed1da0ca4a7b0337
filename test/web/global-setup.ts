import { ensureChromium } from './chromium.ts';

/** Runs once before all tests: the browser tests never skip, so there must be a browser. */
export default async function setup(): Promise<void> {
  await ensureChromium();
}
