import { BlockList, isIP } from 'node:net';

/** Whether a text is a single word of an HTTP header value. */
export function isHeaderSafe(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Whether a text is a token of RFC 9110 section 5.6.2: a header name or method. */
export function isHeaderName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/** Whether a text is `*` or an origin as browsers send it. */
export function isOrigin(text: string): boolean {
  return text === '*' || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(text);
}

/** Whether a text is an IP address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a listen address is loopback only. Names other than localhost count as reachable. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  const version = isIP(bare);
  return version !== 0 && loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/** Minute, hour, day of month, month, day of week (0 and 7 are Sunday). */
const CRON_RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** Whether a text is a cron schedule of five fields with numbers, ranges, steps and lists; names are not supported. */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === CRON_RANGES.length &&
    CRON_RANGES.every((range, at) => (fields[at] ?? '').split(',').every((part) => isCronPart(part, range)))
  );
}

function isCronPart(part: string, [min, max]: readonly [number, number]): boolean {
  const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
  if (!match) return false;
  const from = match[1] === undefined ? min : Number(match[1]);
  const to = match[2] === undefined ? from : Number(match[2]);
  return from >= min && to <= max && from <= to && match[3] !== '0' && match[3] !== '00';
}
