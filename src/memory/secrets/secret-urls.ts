import type { Secret } from './secret-kinds.ts';
import { isPlaceholder } from './secret-values.ts';

/** `scheme://user:password@host`. Digits up to a slash are a port, not a password. */
const WITH_PASSWORD =
  /:\/\/([^\s:@/?#"'`<>]{0,128}):(?!\d{1,5}(?:[/?#\s]|$))((?:[^\s/?#"'`<>]{1,512}|[^\s@"'`<>]{1,512})(?=@[^\s@/?#"'`<>]))/g;

/** Passwords in URLs of any scheme, without the rest of the URL. */
export function findUrlPasswords(text: string): Secret[] {
  const secrets: Secret[] = [];
  if (!text.includes('://') || !text.includes('@')) return secrets;
  for (const { 0: whole, 2: password = '', index } of text.matchAll(WITH_PASSWORD)) {
    const end = index + whole.length;
    if (password.length > 3 && !isPlaceholder(password)) secrets.push({ kind: 'url-password', start: end - password.length, end });
  }
  return secrets;
}
