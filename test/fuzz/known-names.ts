/** What a client knows of a store from its answers: ids, tokens, names. Requests hold `~id3~` and the like in their place. */
const KEPT = 40;
const NOBODY = '00000000-0000-7000-8000-000000000000';

type Kind = 'id' | 'gone' | 'token' | 'run' | 'backup';
const PATTERNS: Readonly<Record<Exclude<Kind, 'gone'>, RegExp>> = {
  id: /"id":"(?:mem_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"|"ids":\["([0-9a-f-]{36})"/g,
  token: /"token":"([^"]+)"/g,
  run: /"run":"([^"]+)"/g,
  backup: /"name":"(\d{4}-\d\d-\d\dT[^"]+)"/g,
};

/** Remembers the latest of each kind. */
export class KnownNames {
  readonly #found: Record<Kind, string[]> = { id: [], gone: [], token: [], run: [], backup: [] };

  /** Reads an answer; `isGone` where it names what is there no more. */
  learn(text: string, { isGone = false }: { readonly isGone?: boolean } = {}): void {
    for (const [kind, pattern] of Object.entries(PATTERNS) as [Exclude<Kind, 'gone'>, RegExp][]) {
      for (const match of text.slice(0, 20_000).matchAll(pattern))
        this.#keep(kind === 'id' && isGone ? 'gone' : kind, match.slice(1).find(Boolean)!);
    }
  }

  /** A text with the names in it. */
  fill(text: string): string {
    return text.replaceAll(/~(id|gone|token|run|backup)(\d)~/g, (_, kind: Kind, nth: string) => {
      const found = this.#found[kind];
      return found[found.length - 1 - (Number(nth) % Math.max(1, found.length))] ?? NOBODY;
    });
  }

  #keep(kind: Kind, name: string): void {
    const found = this.#found[kind];
    if (found.includes(name)) return;
    found.push(name);
    if (found.length > KEPT) found.shift();
  }
}
