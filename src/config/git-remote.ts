import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `owner/repo` (with all groups, as in `group/team/repo`) of a remote on a server; a path of one part gets its host before it, so that it
 * stays telling. Undefined for a local path. Reads the URL forms of `git help clone`: ssh, https, git and scp-like.
 */
export function repositoryName(url: string): string | undefined {
  const place = withScheme(url) ?? scpLike(url);
  if (!place) return undefined;
  const parts = place.path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((part) => part !== '');
  const last = parts.pop()?.replace(/\.git$/, '');
  if (last === undefined || last === '') return undefined;
  return [...(parts.length === 0 ? [place.host] : parts), last].join('/');
}

/**
 * The path of a remote on this machine, absolute; a relative one counts from `folder`. Undefined for one on a server, and for what a helper of
 * git's own reads, as in `ext::…`.
 */
export function localPath(url: string, folder: string): string | undefined {
  if (url === '' || withScheme(url) || scpLike(url)) return undefined;
  if (/^file:\/\//i.test(url)) return pathOfFileUrl(url);
  return /^[\w+.-]+:(?::|\/\/)/.test(url) ? undefined : resolve(folder, url);
}

function pathOfFileUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

interface Place {
  readonly host: string;
  readonly path: string;
}

function withScheme(url: string): Place | undefined {
  const match = /^(?:ssh|git\+ssh|https?|git|ftps?):\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]+)(?::\d*)?\/(.*)$/i.exec(url);
  return match ? { host: (match[1] ?? '').toLowerCase(), path: match[2] ?? '' } : undefined;
}

/** `user@host:path`. One letter before the colon is a drive, a slash before it a local path. */
function scpLike(url: string): Place | undefined {
  const match = /^(?:[^@/:]*@)?(\[[^\]]*\]|[^:/\\]{2,}):(?!\/\/)(.+)$/.exec(url);
  return match ? { host: (match[1] ?? '').toLowerCase(), path: match[2] ?? '' } : undefined;
}
