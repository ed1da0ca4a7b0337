import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The repository name of a remote on a server: `owner/repo` with all groups, such as `group/team/repo`; a path of one part is preceded by
 * its host. Undefined for a local path. Accepts the URL forms of `git help clone`: ssh, https, git and scp-like.
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
 * The absolute path of a local remote; a relative one is resolved against `folder`. Undefined for a remote on a server and for remote
 * helpers such as `ext::…`.
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

/** Parses `user@host:path`. One letter before the colon is a drive; a slash before it makes it a local path. */
function scpLike(url: string): Place | undefined {
  const match = /^(?:[^@/:]*@)?(\[[^\]]*\]|[^:/\\]{2,}):(?!\/\/)(.+)$/.exec(url);
  return match ? { host: (match[1] ?? '').toLowerCase(), path: match[2] ?? '' } : undefined;
}
