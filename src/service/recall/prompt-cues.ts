import type { Entry } from '../../memory/entry.ts';
import { isLastingTag } from '../../memory/importance.ts';

/** Words of a rule. */
const RULE =
  /(?<!\p{L})(?:always|never|must|mustn['’]t|only|don['’]?t|do not|no|prefer\w*|every|each|instead of|rather than|should|immer|nie|niemals|kein\p{L}*|nur|bitte|jede[rsnm]?|alle|müssen|statt|stets|bei uns|toujours|jamais|ne|doi(?:t|vent)|chaque|préfèr\p{L}*|pas de|chez nous|siempre|nunca|sin|cada|debe\p{L}*|prefer\p{L}*|solo|sólo)(?!\p{L})/iu;
/** Words of a report of a failure and its cause. */
const REMEDY =
  /(?<!\p{L})(?:fail\w*|fix\w*|broke\w*|crash\w*|error\w*|because|cause\w*|flaky|came from|turned out|weil|fehler|lag an|schlug|échou\p{L}*|erreur\p{L}*|parce que|fallaba|fall[oó]|porque)(?!\p{L})/iu;
/** Words of a complaint. */
const SYMPTOM =
  /(?<!\p{L})(?:fail\w*|broke\w*|crash\w*|error\w*|wrong|hang\w*|stuck|slow\w*|flaky|reboot\w*|reset\w*|weird|doesn['’]?t|does not|can['’]?t|cannot|won['’]?t|isn['’]?t|not \w+ing|red|missing|empty|lost|twice|again|timeouts?|times? out|fehler|geht nicht|kaputt|schlägt|bricht|hängt|leer|échou\p{L}*|erreur|marche pas|plante\w*|vide|falla\w*|no funciona|se cae|vac[ií]\w*)(?!\p{L})/iu;

/** Whether a text states a rule. */
export const isRule = ({ content, tags }: Pick<Entry, 'content' | 'tags'>): boolean =>
  !tags.includes('fix') && (tags.some((tag) => isLastingTag(tag) && tag !== 'decision') || RULE.test(content));

/** Whether a text describes a failure and its fix. */
export const isRemedy = ({ content, tags }: Pick<Entry, 'content' | 'tags'>): boolean => tags.includes('fix') || REMEDY.test(content);

/** Whether a prompt says that something does not work. */
export const isSymptom = (prompt: string): boolean => SYMPTOM.test(prompt);
