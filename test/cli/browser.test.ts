import { expect, it } from 'vitest';
import { browserCalls } from '../../src/cli/server/browser.ts';

const URL_WITH_SIGNS = 'http://127.0.0.1:7007/#/search?q=a&b;c$(d)';

it('passes an address to the opener of each system as one argument, without a shell', () => {
  const calls = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, release = '6.8.0-generic') =>
    browserCalls(URL_WITH_SIGNS, { platform, release, env });
  expect(calls('darwin', { BROWSER: 'lynx' })).toEqual([['open', URL_WITH_SIGNS]]);
  expect(calls('win32', { SystemRoot: String.raw`D:\Win` })).toEqual([
    [String.raw`D:\Win\System32\rundll32.exe`, 'url.dll,FileProtocolHandler', URL_WITH_SIGNS],
  ]);
  expect(calls('linux')).toEqual([['xdg-open', URL_WITH_SIGNS]]);
  expect(calls('linux', {}, '5.15.167.4-microsoft-standard-WSL2')).toEqual([
    ['wslview', URL_WITH_SIGNS],
    ['rundll32.exe', 'url.dll,FileProtocolHandler', URL_WITH_SIGNS],
    ['xdg-open', URL_WITH_SIGNS],
  ]);
});

it('tries the browsers of the variable BROWSER first', () => {
  const BROWSER = 'firefox --new-window %s:/usr/bin/w3m -M:';
  expect(browserCalls('http://a/', { platform: 'linux', release: '', env: { BROWSER } })).toEqual([
    ['firefox', '--new-window', 'http://a/'],
    ['/usr/bin/w3m', '-M', 'http://a/'],
    ['xdg-open', 'http://a/'],
  ]);
});
