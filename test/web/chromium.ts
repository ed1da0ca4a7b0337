import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const USUAL_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];
/** The popups of the address bar, which nobody sees: each window loads them as two pages of their own, which costs as much as the page of a test. */
const UNSEEN = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** What Playwright switches off: of several such options Chromium heeds the last alone. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
/** Without these a browser looks for updates and its maker's hosts at every start, which a closed network answers slowly. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const without = (...features: string[]): string => `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...UNSEEN, ...features].join()}`;
const MISSING = 'No Chromium or Chrome was found: install one (Debian: apt-get install chromium), or name it in CHROME_PATH.';
const INSTALL_TIMEOUT_MS = 300_000;

const isRoot = (): boolean => process.getuid?.() === 0;

/** Path of a browser on this machine, or undefined. */
function findChromium(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '') return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...USUAL_PLACES].find(existsSync);
}

/** Sees to it that there is a browser: as root on Debian it installs one, elsewhere it throws and says how. Safe to repeat. */
export async function ensureChromium(): Promise<void> {
  if (findChromium() !== undefined) return;
  if (!isRoot() || !existsSync('/usr/bin/apt-get')) throw new Error(MISSING);
  const run = promisify(execFile);
  const options = { timeout: INSTALL_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], options);
  } catch (cause) {
    throw new Error(MISSING, { cause });
  }
}

/** A headless browser; close it. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: installed(), args: [...QUIET, without(), ...asRoot()] });
}

/** A headless browser with a new profile and the unpacked extension of a folder; close it. */
export async function launchWithExtension(folder: string): Promise<BrowserContext> {
  const loading = [`--disable-extensions-except=${folder}`, `--load-extension=${folder}`];
  return chromium.launchPersistentContext('', {
    executablePath: installed(),
    args: [...QUIET, without('DisableLoadExtensionCommandLineSwitch'), ...asRoot(), ...loading],
    ignoreDefaultArgs: ['--disable-extensions'],
  });
}

function installed(): string {
  const path = findChromium();
  if (path === undefined) throw new Error(MISSING);
  return path;
}

const asRoot = (): string[] => (isRoot() ? ['--no-sandbox'] : []);
