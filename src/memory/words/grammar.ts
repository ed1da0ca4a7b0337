/** Word classes. */
import { tokenize } from './tokens.ts';

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** The indexed form of a word. */
export const stem = (word: string): string => tokenize(word)[0] ?? word.toLowerCase();

/** Subjects of a sentence that is equivalent to an imperative. */
export const WE: ReadonlySet<string> = new Set(wordsOf('we i you they everyone please wir ich man sie nous je on nosotros yo мы я'));

/** After these stems a number is a name and not a count. */
export const LABELLED: ReadonlySet<string> = new Set(
  wordsOf(`
invoice issue ticket bug task story epic step phase stage level section chapter page line figure table part paragraph article volume episode
adr rfc pr case rule point item order version release sprint milestone iteration customer account user node host room building floor gate track
team group lot batch course lesson question answer appendix annex quarter week day example requirement option slide row column channel
rechnung schritt kapitel seite abschnitt kunde auftrag raum étape chapitre facture commande factura paso capítulo pedido
`).map(stem),
);

/** Function words of other languages (English ones are stop words), stemmed. */
export const FUNCTION_WORDS = `
der die das den dem des ein eine einen einem einer eines und oder mit von vom zu zum zur im in am an auf aus bei für ist sind war wird werden wurde wurden nach über unter durch sich es wir ich sie er man dass als um bis
le la les l un une des du de d et ou avec est sont a été en au aux sur sous pour par dans ce cette on nous il elle qui que se sa son
el los las lo del al un una unos unas y o con es son fue está están por para en de que se su sus
в во на с со из и или для по к о об у от до мы он она они это эта этот
`;
