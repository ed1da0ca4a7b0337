/** Conditional requests: the client may already have the representation (RFC 9110, 13.1.2). */
import type { IncomingMessage } from 'node:http';

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Whether `If-None-Match` names `etag`, in a list or by `*`. Compares weakly. */
export function hasCurrent({ headers }: IncomingMessage, etag: string): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  return given.trim() === '*' || (given.match(TAG) ?? []).some((tag) => opaque(tag) === opaque(etag));
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');
