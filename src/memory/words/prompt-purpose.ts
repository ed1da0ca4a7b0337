import { FUNCTION_WORDS } from './grammar.ts';
import { isStopWord, tokenize } from './tokens.ts';

/**
 * Purpose of a prompt: `own` asks about this project or person (we, our, again, as agreed), `question` asks anything else, `task` requests
 * work, and `chatter` has no subject.
 */
type PromptPurpose = 'own' | 'question' | 'task' | 'chatter';

/** Words of any request, whatever its subject. */
const LIGHT: ReadonlySet<string> = new Set(
  (
    'ok okay yes yeah yep no nope sure thanks thank thx great good nice cool fine perfect awesome hmm well right look looks go going ahead next continue ' +
    'proceed done do make use run get show tell give add change update write create fix check open close read find see try put set start stop let want need ' +
    'like help file files folder line lines code thing things stuff bit time today tomorrow now again please push undo redo rename format explain ' +
    'list step way work works working new old first last same one two job error errors mean means page text word words ' +
    'danke passt gut weiter mach bitte ja nein genau merci continue oui non accord parfait gracias vale sigue sí bien ' +
    'ありがとう はい 谢谢 好的 继续 спасибо хорошо дальше'
  )
    .split(' ')
    .flatMap(tokenize),
);
const LIGHT_SHARE = 0.25;
/** Words of routine tasks in any project. */
const CHORES: ReadonlySet<string> = new Set(
  (
    'commit commits committed merge branch branches diff rebase stash pull checkout lint linter formatter formatting prettier build compile rebuild restart ' +
    'reload flash edit edited edits change changes changed blank empty bump version patch print size output log logs window tab screen terminal bigger smaller ' +
    'larger suite test tests linting letzten letzte mergen bauen neu starten dernier dernière lance lancer relance último última luego hasta'
  )
    .split(' ')
    .flatMap(tokenize),
);
/** Minimum number of subject words in a prompt that asks nothing about this project. */
const LEAST_SUBJECT = 2;
/** A request in the form of a question. */
const REQUEST =
  /^(?:(?:and|so|but|also|hey|hi|ok)[,]?\s+)?(?:can|could|would|will) you(?!\p{L})|^(?:kannst|könntest|würdest) du|^(?:peux|pourrais)[- ]tu|^(?:puedes|podrías)(?!\p{L})/iu;
const GENERAL =
  /^(?:[^,.:]*[,:]\s*){0,2}(?:what does (?:\S+|this (?:\S+ )?error) (?:do|mean)(?!\p{L})|what(?:['’]s| is) the difference between|what time is it|wie spät ist es|was bedeutet|que signifie|quelle heure|qué significa|qué hora)/iu;
const LEAST_FOREIGN = 2;
/** A request to write something new: rules for it are relevant. */
const MAKES =
  /(?<!\p{L})(?:write|add|create|implement|build|make|draft|generate|extend|introduce|scaffold|refactor|rename|migrate|name|design|prepare|set up|schreib\p{L}*|füge?|hinzu|erstell\p{L}*|ergänz\p{L}*|bau\p{L}*|leg\p{L}*|formulier\p{L}*|implementier\p{L}*|mach mir|entwirf|écri\p{L}*|ajout\p{L}*|cré\p{L}*|rédig\p{L}*|implément\p{L}*|prépar\p{L}*|crea\p{L}*|añad\p{L}*|agreg\p{L}*|escrib\p{L}*|implement\p{L}*|haz|prepar\p{L}*)(?!\p{L})/iu;
const QUESTION =
  /[?？]\s*(?:$|\n|["'”’)])|[?？]\s|^(?:(?:and|so|but|also|hey|hi|ok)[,]?\s+)?(?:what|which|who|whose|whom|why|how|where|when|can|could|should|do|does|did|is|are|was|were|has|have|was|welche[rsn]?|wer|wem|warum|wieso|wie|wo|woher|womit|wann|kann|soll|sollen|haben|quel(?:le)?s?|qui|pourquoi|comment|où|quand|combien|est-ce|qué|cuál(?:es)?|quién|cómo|dónde|cuándo|cuántos?|por qué|почему|как|где|когда|кто|какой|какая|какие|что)(?=\s)|か[。]?\s*$|吗|什么|哪|怎么|多少|なぜ|どこ|どの|何を/imu;
/** Refers to this team or person. */
const OWN =
  /(?<![\p{L}\p{N}'’-])(?:we|we['’](?:re|ve|ll|d)|our|ours|us|i|i['’](?:m|ve|ll|d)|my|mine|wir|uns|unser\p{L}*|ich|mir|mein\p{L}*|nous|notre|nos|je|mon|ma|mes|nosotr[oa]s|nuestr[oa]s?|mi|mis|yo|мы|наш\p{L}*|нас|я|мой|моя|last time|agreed|decided|usually|convention|damals|üblich|d['’]habitude|siempre)(?![\p{L}\p{N}])|(?<!\p{L})j['’]\p{L}|-t-on(?!\p{L})|(?<!\p{L})on\s+(?:a|utilise|fait|met|garde|doit|avait|écrit|appelle|prend)(?!\p{L})|(?<=\p{L}{2})(?:emos|amos|imos)(?!\p{L})|我们|我們|我|私|うち|使って|우리|저희/iu;
const DEFINITE = /(?<!\p{L})(?:the|der|die|das|den|dem|le|la|les|du|des|el|los|las|del)\s+\p{L}|(?<!\p{L})l['’]\p{L}/iu;
/** Function words of other languages; English ones are stop words. */
const FUNCTION_TOKENS: ReadonlySet<string> = new Set(
  tokenize(
    `${FUNCTION_WORDS} il ils elle elles on lui leur y ne pas plus quel quelle quels quelles qui quoi est-ce était être fait faire cette ces mon ton votre notre
    wie was wer wo wann warum welche welcher welches womit woher kann soll muss haben hat hatte hier da noch nur auch schon sehr mir dir ihr unser dieser diese dieses
    qué cuál quién cómo dónde cuándo cuántos hay era ser esta este estos nos mi tu su muy más ya me te le
    o os as um uma do da dos no na nos em que não se por mais come cosa quando dove chi il i gli della dei nel sono
    как что где когда кто какой это был быть`,
  ),
);

/**
 * Whether a text is not English: it has two different function words of other languages. One does not suffice: `die`, `son` and `plus` are
 * English words too.
 */
export function isForeign(stream: readonly string[]): boolean {
  return new Set(stream.filter((token) => FUNCTION_TOKENS.has(token) && !isStopWord(token))).size >= LEAST_FOREIGN;
}

/** Weight 0..1 of a token for the subject of a prompt: 0 for function words, 0.25 for request words and short numbers, else 1. */
export function subjectWeight(token: string): number {
  if (FUNCTION_TOKENS.has(token)) return 0;
  return LIGHT.has(token) || /^\p{N}{1,2}$/u.test(token) ? LIGHT_SHARE : 1;
}

/** Classifies a prompt by its words, in English, German, French, Spanish, Russian, Chinese, Japanese and Korean. Linear. */
export function promptPurpose(prompt: string): PromptPurpose {
  const telling = tokenize(prompt).filter((token) => !isStopWord(token) && subjectWeight(token) === 1);
  const asks = QUESTION.test(prompt.trim());
  const isOwn = OWN.test(prompt);
  if (telling.length === 0 && !(asks && isOwn)) return 'chatter';
  // A question with a definite article, such as `the client`, refers to this project.
  if (isOwn || (asks && DEFINITE.test(prompt))) return 'own';
  return asks ? 'question' : 'task';
}

/** Whether a prompt asks for general knowledge: the meaning of a word, the time in a place. */
export const asksGeneralKnowledge = (prompt: string): boolean => GENERAL.test(prompt.trim());

/** Whether a prompt has a subject beyond routine tasks, so that a memory may answer it without sharing a word. */
export function namesSubject(prompt: string): boolean {
  const text = prompt.trim();
  const isAsked = QUESTION.test(text);
  if (OWN.test(text) || (isAsked && !REQUEST.test(text))) return true;
  const subjects = tokenize(text).filter((token) => !isStopWord(token) && subjectWeight(token) === 1 && !CHORES.has(token));
  return new Set(subjects).size >= (isAsked ? 1 : LEAST_SUBJECT);
}

/** Whether a prompt asks to write something, in English, German, French or Spanish. */
export const asksToWrite = (prompt: string): boolean => MAKES.test(prompt);
