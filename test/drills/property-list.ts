/** What a property list of launchd can hold. */
export type PlistValue = string | number | boolean | PlistValue[] | { [key: string]: PlistValue };

/** Reads a property list, strictly: throws where a tag is not closed, not known, or where a key has no value. */
export function parsePlist(text: string): Record<string, PlistValue> {
  const tokens = text
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(/<!DOCTYPE[^>]*>/, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split(/(<[^>]*>)/)
    .map((token) => token.trim())
    .filter((token) => token !== '');
  const reader = new Reader(tokens);
  reader.take(/^<plist( version="1\.0")?>$/);
  const value = reader.value();
  reader.take(/^<\/plist>$/);
  if (tokens.length > 0 || typeof value !== 'object' || Array.isArray(value)) throw new Error('a property list is one dictionary');
  return value;
}

class Reader {
  readonly #tokens: string[];

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  take(wanted: RegExp): string {
    const token = this.#tokens.shift() ?? 'the end';
    if (!wanted.test(token)) throw new Error(`${token} where ${String(wanted)} should be`);
    return token;
  }

  value(): PlistValue {
    const tag = this.take(/^<(?:dict|array|string|integer|true\/|false\/)>$/).slice(1, -1);
    if (tag === 'true/') return true;
    if (tag === 'false/') return false;
    if (tag === 'string') return this.#closed(tag, this.take(/^[^<]/));
    if (tag === 'integer') return this.#closed(tag, Number(this.take(/^-?\d+$/)));
    return tag === 'array' ? this.#list() : this.#dictionary();
  }

  #closed<T>(tag: string, value: T): T {
    this.take(new RegExp(`^</${tag}>$`));
    return value;
  }

  #list(): PlistValue[] {
    const values: PlistValue[] = [];
    while (this.#tokens[0] !== '</array>') values.push(this.value());
    return this.#closed('array', values);
  }

  #dictionary(): { [key: string]: PlistValue } {
    const entries: { [key: string]: PlistValue } = {};
    while (this.#tokens[0] !== '</dict>') {
      this.take(/^<key>$/);
      const key = this.#closed('key', this.take(/^[^<]/));
      if (key in entries) throw new Error(`${key} is there twice`);
      entries[key] = this.value();
    }
    return this.#closed('dict', entries);
  }
}
