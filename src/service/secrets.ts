import { MAX_TAG_CHARS, type Source } from '../memory/entry.ts';
import type { ArchivedEntry } from '../memory/lifecycle.ts';
import type { AuxiliaryLine } from '../memory/operations/operations.ts';
import { withTexts } from '../memory/secrets/redacted-entry.ts';
import { findSecrets, redact } from '../memory/secrets/redaction.ts';
import { draftEntry } from './changes/drafting.ts';
import type { ImportedEntry } from './transfer/import-line.ts';

/** `memory.redactSecrets`: in which text secrets are redacted. */
export type RedactSecrets = 'machines' | 'always' | 'never';

/** Nobody reads text from these sources before it is stored. */
const MACHINES: ReadonlySet<Source> = new Set<Source>(['mcp', 'auto-capture', 'index', 'ingest']);

/** The free text of an entry. */
interface Texts {
  readonly content?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly sourceRef?: Readonly<Record<string, unknown>> | undefined;
}

/** Handles secrets before a text is hashed, embedded, logged or stored. */
export class Secrets {
  readonly #mode: RedactSecrets;

  constructor(mode: RedactSecrets) {
    this.#mode = mode;
  }

  /** Whether text from any of these sources is redacted. */
  redacts(...sources: readonly Source[]): boolean {
    return this.#mode === 'always' || (this.#mode === 'machines' && sources.some((source) => MACHINES.has(source)));
  }

  /** The texts without their secrets, and the kinds of the secrets. Unchanged fields are the same objects. */
  redacted<T extends Texts>(texts: T): { readonly texts: T; readonly kinds: readonly string[] } {
    const kinds = new Set<string>();
    const clean = (text: string): string => {
      const redacted = redact(text);
      for (const kind of redacted.kinds) kinds.add(kind);
      return redacted.text;
    };
    const { content, tags, sourceRef } = texts;
    const cleaned: T = {
      ...texts,
      ...(content !== undefined && { content: clean(content) }),
      ...(tags !== undefined && { tags: tags.map((tag) => clean(tag).slice(0, MAX_TAG_CHARS)) }),
      ...(sourceRef !== undefined && { sourceRef: withTexts(sourceRef, clean) }),
    };
    return kinds.size === 0 ? { texts, kinds: [] } : { texts: cleaned, kinds: [...kinds] };
  }

  /** A saved text: redacted, with the kinds of secrets; or unchanged, with a warning. */
  ofSaved<T extends Texts>(
    texts: T,
    source: Source,
  ): { readonly texts: T; readonly redactions: readonly string[]; readonly warnings: readonly string[] } {
    if (!this.redacts(source)) return { texts, redactions: [], warnings: this.#warnings(texts) };
    const { texts: cleaned, kinds } = this.redacted(texts);
    return { texts: cleaned, redactions: kinds, warnings: [] };
  }

  /** An imported entry, redacted if needed, with the result. A redacted entry loses its vector and entities. */
  ofImported(entry: ImportedEntry): { readonly entry: ImportedEntry; readonly secrets: 'none' | 'redacted' | 'kept' } {
    if (!this.redacts(entry.source ?? 'import')) return { entry, secrets: this.#warnings(entry).length > 0 ? 'kept' : 'none' };
    const { texts, kinds } = this.redacted(entry);
    const { embedding: _, entities: __, ...rest } = texts;
    return { entry: texts.content === entry.content ? texts : rest, secrets: kinds.length > 0 ? 'redacted' : 'none' };
  }

  /** Like `ofImported`, for archived entries and history in an export. */
  ofAuxiliary(line: AuxiliaryLine): AuxiliaryLine {
    if ('archived' in line) return { archived: this.#ofArchived(line.archived) };
    if ('version' in line && this.redacts()) return { version: { ...line.version, state: this.redacted(line.version.state).texts } };
    return line;
  }

  #ofArchived(archived: ArchivedEntry): ArchivedEntry {
    if (!this.redacts(archived.entry.source)) return archived;
    const { texts, kinds } = this.redacted(archived.entry);
    // Its summary and names were derived from the text with the secrets.
    const { summary: _, entities: __, ...facts } = texts;
    return kinds.length === 0 ? archived : { ...archived, entry: draftEntry(facts) };
  }

  /** The warning about secrets in an unchanged text; none if turned off. */
  #warnings({ content = '', tags = [] }: Texts): string[] {
    if (this.#mode === 'never') return [];
    const kinds = new Set([content, ...tags].flatMap((text) => findSecrets(text).map(({ kind }) => kind)));
    if (kinds.size === 0) return [];
    return [
      `This text seems to contain a secret (${[...kinds].join(', ')}). It is stored unchanged. Forget the entry if you did not mean to keep it, or set memory.redactSecrets to always to redact every text.`,
    ];
  }
}
