import { isSpelled, type Misspelled } from './spelling.ts';
import { isStopWord, tokenize } from './tokens.ts';
import type { Vocabulary } from './word-statistics.ts';

/** Endings of German, French and Spanish words, without accents. The stemmer of the index knows English only. */
const ENDINGS: ReadonlySet<string> = new Set(
  (
    'e en er ern es em n s st t te ten tet test et end ende enden ung ungen lich liche lichen ig ige igen keit heit ' +
    'ez ent ons ont ait aient ant ante antes ee ees ir re a as ation ations ement ements eur eurs euse eux elle elles ' +
    'ar o os amos emos imos an ado ada ados adas ido ida idos idas amo emo imo ando iendo cion ciones mente i io ion iones aba aban ara era ira'
  ).split(' '),
);
/** Minimum length of a beginning or part of a compound: shorter ones occur in too many words. */
const SHORTEST = 4;
const MOST = 8;
/** Linking letters between the parts of a compound. */
const LINKS = ['', 's', 'es', 'n', 'en'];
const LETTERS = /^\p{L}+$/u;

/** Alternatives of a word that is not English. */
interface Forms {
  /** Other inflections and words of the same family: `mahnen`, `Mahnung`. */
  readonly forms: readonly string[];
  /** Compounds that begin with it (`Termin`, `Terminbuchung`), and parts of a compound (`Kassenzettel`, `Zettel`). */
  readonly compounds: readonly string[];
}

/** The alternatives that some entry contains, at most eight of each kind. One scan of the tokens with the same first letters. */
export function formsOf({ word, token }: Misspelled, vocabulary: Vocabulary): Forms {
  const [forms, compounds] = [new Set<string>(), new Set<string>()];
  if (token.length < SHORTEST || !isSpelled(word)) return { forms: [], compounds: [] };
  for (const other of vocabulary.beginningWith(token.slice(0, SHORTEST))) {
    if (isStopWord(other) || other === token) continue;
    if (isFormOf(token, other) || isFormOf(word, other)) forms.add(other);
    else if (beginsCompound(token, other) || beginsCompound(word, other)) compounds.add(other);
  }
  for (let at = SHORTEST; at <= word.length - SHORTEST; at++) {
    for (const part of [word.slice(0, at), word.slice(at)].flatMap(tokenize)) {
      if (part.length >= SHORTEST && vocabulary.documentFrequency(part) > 0 && !isStopWord(part)) compounds.add(part);
    }
  }
  return { forms: [...forms].slice(0, MOST), compounds: [...compounds].slice(0, MOST) };
}

/** Whether both share a beginning of at least half the longer one and continue with known endings. */
function isFormOf(one: string, other: string): boolean {
  const shared = sharedBeginning(one, other);
  if (shared * 2 < Math.max(one.length, other.length)) return false;
  // The endings may begin with the same letters: `sicherung`, `sicherst`.
  for (let at = shared; at >= Math.max(SHORTEST, shared - 2); at--) {
    if (isEnding(one.slice(at)) && isEnding(other.slice(at))) return true;
  }
  return false;
}

function beginsCompound(word: string, longer: string): boolean {
  if (word.length < SHORTEST || !LETTERS.test(longer)) return false;
  return LINKS.some((link) => longer.startsWith(word + link) && longer.length - word.length - link.length >= SHORTEST);
}

const isEnding = (tail: string): boolean => tail === '' || ENDINGS.has(tail);

function sharedBeginning(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at++;
  return at;
}
