/** Word lists to distinguish two values of one subject from two subjects. */
import { stem } from '../words/grammar.ts';
import { OPPOSITES } from '../relation-cues/relation-cues-words.ts';

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
const pairsOf = (text: string): string[][] =>
  text
    .trim()
    .split(/[;\n]\s*/)
    .map(wordsOf);

/** Opposites that reverse a statement in any position. */
const STANCES = `
always never; add remove; adds removes; with without; before after; start stop; starts stops; on off; opt-in opt-out; open close; opens closes
immer nie; immer niemals; vor nach; mit ohne; toujours jamais; avant après; avec sans; siempre nunca; antes después; con sin; yes no; ja nein; oui non
keep delete; keeps deletes; show hide; shows hides; lock unlock; locks unlocks
`;

/** Opposite adjectives: before a noun they may name two things (`the left sidebar`). */
const QUALITIES = `
ascending descending; dark light; left right; public private; internal external; sync async; synchronous asynchronous; manual automatic
first last; upper lower; uppercase lowercase; more less; most least; minimum maximum; min max; top bottom; hot cold; strict loose
up down; high low; fast slow; early late; past present; past future; open closed; single double; mandatory optional; short long; new old
increase decrease; increases decreases; tabs spaces; relative absolute; global local; shared own; cheap expensive; good bad; free paid
aufsteigend absteigend; hell dunkel; links rechts; öffentlich privat; intern extern; oben unten; früh spät; croissant décroissant; clair sombre
gauche droite; public privé; ascendente descendente; claro oscuro; izquierda derecha; público privado
`;

const opposites = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap(pairsOf).flatMap(([one = '', other = '']) => [`${stem(one)} ${stem(other)}`, `${stem(other)} ${stem(one)}`]));
const stances = opposites([STANCES, OPPOSITES]);
const qualities = opposites([QUALITIES]);

/** Whether two stems are opposites. */
export const isStance = (one: string, other: string): boolean => stances.has(`${one} ${other}`);
export const isQuality = (one: string, other: string): boolean => qualities.has(`${one} ${other}`);

/** Verbs between a subject and its predicate, in lower case. */
export const LINKS: ReadonlySet<string> = new Set(
  wordsOf(`
is are was were be been am has have had can must should may will needs need requires ist sind war muss müssen soll sollte hat haben kann
est sont était doit doivent peut a ont es son está están era debe deben tiene tienen это
`),
);

export const DETERMINERS: ReadonlySet<string> = new Set(
  wordsOf(
    'the a an our my your their its this that all every each der die das den unser unsere le la les notre nos el los las nuestro nuestra',
  ),
);

/** Conjunctions that begin an additional clause. */
export const JOINTS: ReadonlySet<string> = new Set(
  wordsOf('and but because so since while then whereas und aber weil denn et mais car parce y pero porque'),
);

/** Times without digits; each may replace another. Stems. */
export const TIMES: ReadonlySet<string> = new Set(
  wordsOf(`
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
january february march april june july august september october november december
second seconds minute minutes hour hours day days week weeks month months quarter quarters year years
hourly daily weekly monthly quarterly yearly nightly weekday weekdays weekend weekends
morning noon afternoon evening night midnight once twice thrice half
montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags
januar februar märz mai juni juli oktober dezember stündlich täglich wöchentlich monatlich jährlich
lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre
lunes martes miércoles jueves viernes sábado sábados domingo domingos enero febrero marzo abril mayo junio julio agosto septiembre octubre
noviembre diciembre
`).map(stem),
);

/** Words of change without other content. Stems. */
export const CHANGE_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`
now currently instead anymore longer today meanwhile lately recently already still since
jetzt nun inzwischen mittlerweile ab sofort désormais maintenant dorénavant ahora actualmente теперь
`).map(stem),
);
