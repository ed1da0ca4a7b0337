/** The first `limit` UTF-16 units of a text; one less if it would split a surrogate pair. */
export function firstChars(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const code = text.charCodeAt(limit - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit);
}
