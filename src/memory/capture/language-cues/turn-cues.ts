import { anywhere, type Pattern } from './language-cues.ts';

/* Cues by which turns refer to each other. All languages together: an answer is often too short to detect its language. */

const BEFORE = '(?<![\\p{L}\\p{N}])';
const BEHIND = '(?![\\p{L}\\p{N}])';
const whole = (...parts: readonly string[]): string => `${BEFORE}(?:${parts.join('|')})${BEHIND}`;

/** Agreement of a person, at the start. */
export const AGREES: Pattern = anywhere(
  `^(?:(?:ok(?:ay)?|great|good|hm+|right|alright|perfect|nice)[\\s,.!–-]+)*(?:yes|yep|yeah|yup|sure|ok(?:ay)?|agreed|sounds? (?:good|great|right|fine)|perfect|deal|exactly|fine|great|works for me|makes sense|i(?:'m| am) fine with (?:it|that)|do (?:it|that|so)|(?:please )?go (?:ahead|for it|with)|let's (?:do|go with|use|take)|we(?:'ll| will) (?:do|take|go with)|(?:please )?do|approved|(?:i(?:'ll| will)? )?take|(?:option )?[a-d1-4](?= please| then|[.!,]|$)|the (?:first|second|third|latter|former))${BEHIND}`,
  `^(?:ja|jo|jap|genau|einverstanden|passt|klingt gut|gerne?|in ordnung|mach(?:en wir|e? das| es)?|so machen wir|perfekt|nehmen wir|dann nehmen)${BEHIND}`,
  `^(?:oui|d'accord|ok|parfait|vas-y|allez-y|c'est (?:bon|parfait)|ça (?:marche|me va)|très bien|on (?:fait|part sur))${BEHIND}`,
  `^(?:s[íi]|vale|de acuerdo|perfecto|adelante|hazlo|me parece bien|claro|está bien)${BEHIND}`,
  '^(?:好|可以|行|就这|同意|没问题|嗯|对，|是的)',
  '^(?:はい|ええ|お願いします|それで|了解|いいですね|賛成|そうしましょう|OKです)',
);

/** A restriction or another wish. */
export const BUT: Pattern = anywhere(
  whole('but', 'except', 'unless', 'instead', 'not', "don't", 'no', 'only if', 'first', 'wait', 'though'),
  whole('aber', 'nicht', 'nein', 'außer', 'erst', 'stattdessen', 'mais', 'sauf', 'pas', 'non', "d'abord", 'pero', 'salvo', 'primero'),
  '但|不|先|でも|ただ|しかし|ない',
);

/** A proposal of an assistant for a lasting choice. */
export const PROPOSES: Pattern = anywhere(
  `${BEFORE}(?:i(?:'d| would) (?!like|say|need|have|love|expect|guess|assume|rather|be |also)\\p{L}+|i (?:suggest|propose|recommend)|my (?:suggestion|proposal|recommendation)|(?:the )?(?:best|simplest|cleanest|safest) (?:option|way|choice|fix|approach) (?:is|would be)|we could \\p{L}+|you could (?:use|move|switch|store|adopt|replace|keep|go with)|(?:should|shall) (?:we|i) (?:use|switch|move|adopt|store|replace|go with|standardi[sz]e)|how about (?:using|we use))${BEHIND}`,
  `${BEFORE}(?:(?:ich )?schlage?(?: \\S+)? vor|mein vorschlag|ich (?:würde|empfehle)|(?:wir|man) könnten?)${BEHIND}`,
  `${BEFORE}(?:je (?:propose|suggère|recommande|conseille)|ma proposition|on pourrait|mieux vaut)${BEHIND}`,
  `${BEFORE}(?:propongo|sugiero|recomiendo|mi propuesta|podríamos)${BEHIND}`,
  '我?(?:建议|提议|推荐)|我会用|可以用',
  '提案(?:します|です)|おすすめ|お勧め|のがよい|のが良い|のがいい|に(?:しては|しましょう)',
);

/** One-time work: agreeing to it decides nothing. */
export const CHORE: Pattern = anywhere(
  `${BEFORE}(?:suggest|propose|recommend|would|'d|should (?:i|we)|shall (?:i|we)|could|want me to)(?: that)?(?: (?:we|i|you|to))?(?: (?:first|now|also|just))? (?:run|rerun|re-run|commit|push|fix|look|check|test|read|open|start|restart|continue|wait|try|debug|investigate|profile|merge|review|rename|delete|remove|revert|add (?:a|some|more|the) (?:tests?|logs?|logging)|write (?:a|some|more|the) tests?|proceed|begin)(?:ning|ting|ging|ing|s)?${BEHIND}`,
  `${BEFORE}(?:running|committing|pushing|fixing|checking|looking|testing|waiting|restarting|merging|rebasing|proceeding)${BEHIND}`,
);

/** A reason at the start of a turn. */
export const GIVES_REASON: Pattern = anywhere(
  `^(?:and |it's |that's |that is |just |simply |well,? |oh,? )?(?:because|since|as|the reason(?: is|:| being)|reason:|otherwise|so that)${BEHIND}`,
  `^(?:und )?(?:weil|denn|der grund|grund:|sonst|damit)${BEHIND}`,
  `^(?:parce qu|car${BEHIND}|puisqu|la raison|sinon${BEHIND}|sans ça)`,
  `^(?:porque|ya que|pues|la razón|el motivo|si no)${BEHIND}`,
  '^(?:因为|由于|否则|不然|原因)',
  '^(?:なぜなら|理由|そうしないと)|からです[。.]?$|ためです[。.]?$',
);

/** Begins with a reference to the current subject. */
export const STANDS_FOR: Pattern = anywhere(
  `^(?:(?:from now on|going forward|always|never|please|actually|in future|and|so)[,\\s]+)*(?:it(?:'s|'ll)?|they(?:'re|'ll)?|them|this|that(?:'s)?|these|those|both|make (?:it|that|them)|set (?:it|that|them)|keep (?:it|that|them))${BEHIND}`,
  `^(?:(?:ab jetzt|ab sofort|künftig|in zukunft|bitte)[,\\s]+)*(?:es|sie|das|diese[rsnm]?|(?:sind|ist|gilt|gelten|soll|sollen|bleibt|bleiben) (?:es|sie|das|hier|dort))${BEHIND}`,
  `^(?:(?:désormais|à partir de maintenant|dorénavant)[,\\s]+)*(?:c'est|ça|cela|ils?|elles?|ce sont)${BEHIND}`,
  `^(?:(?:a partir de ahora|desde ahora|en adelante)[,\\s]+)*(?:eso|esto|ellos|ellas|son|es|debe(?:n|ría|rían)?)${BEHIND}`,
  '^(?:以后|从现在起|今后)?[，,]?(?:它|这|那)',
  '^(?:これからは|今後は|以後)?[、,]?(?:それ|これ|あれ|その)',
);

/** A retraction. */
export const TAKES_BACK: Pattern = anywhere(
  `${BEFORE}(?:scratch that|strike that|forget (?:about )?(?:it|that|the|what i said|my|\\S+[.!,]|\\S+$)|never ?mind (?:the|that|about|what i)|on second thoughts?|i take (?:that|it|this) back|(?:i've |i |we've |we )?changed (?:my|our) minds?|(?:is|are) off(?: the table)?|won't do (?:that|it) after all|not after all|drop (?:that|the) (?:\\S+ )?(?:idea|plan|decision|rule))${BEHIND}`,
  `${BEFORE}(?:doch nicht|doch lieber nicht|vergiss (?:es|das|die|den|was)|(?:ich )?nehme? (?:das|es) zurück|hab(?:e)? (?:es )?mir anders überlegt|kommando zurück|lass(?:en)? (?:wir )?das (?:mit|doch))${BEHIND}`,
  `${BEFORE}(?:oublie[zr]?(?: (?:ça|ce|le|la|les))?|finalement (?:non|pas)|je reviens (?:là-dessus|sur)|on laisse tomber|changé d'avis)${BEHIND}`,
  `${BEFORE}(?:olvid[ae](?:lo|te)?|mejor no|me retracto|cambié de (?:idea|opinión)|al final no)${BEHIND}`,
  '算了|还是不|收回|忘了(?:这|那)|当我没说|改主意',
  'やっぱり(?:やめ|なし)|撤回|取り消|忘れて|なかったこと',
);

/** A correction of an earlier statement. */
export const CORRECTS: Pattern = anywhere(
  `${BEFORE}(?:correction|i was wrong|i mixed (?:that|it|them) up|my mistake|sorry|no,? wait|wait,? no|actually|that was wrong|i misspoke|typo|not any ?more|now|no longer|after all)${BEHIND}`,
  `${BEFORE}(?:korrektur|ich lag falsch|stimmt nicht|mein fehler|nein|doch|tatsächlich|eigentlich|jetzt|nicht mehr|sorry)${BEHIND}`,
  `${BEFORE}(?:correction|rectificatif|je me suis trompée?|en fait|non|pardon|désolée?|plus maintenant|désormais)${BEHIND}`,
  `${BEFORE}(?:corrección|me equivoqué|en realidad|no,|perdón|ahora|ya no)${BEHIND}`,
  '更正|不对|搞错|其实|抱歉|现在|不再',
  '訂正|間違|実は|すみません|今は|もう',
);

/** Lead-in words of a correction; several may follow each other. */
export const BEFORE_CORRECTION: Pattern = anywhere(
  `^(?:(?:${[
    'correction|sorry|no|nope|wait|actually|i was wrong|my mistake|i misspoke|i mixed (?:that|it|them) up|that was wrong|well|oh|hm+|so|and|but|it turns out',
    'korrektur|nein|doch|moment|eigentlich|tatsächlich|ich lag falsch|mein fehler|stimmt nicht',
    'rectificatif|non|en fait|pardon|désolée?|je me suis trompée?|corrección|en realidad|perdón|me equivoqué',
  ].join('|')})${BEHIND}[\\s,.:;!–—-]*)+`,
  '^(?:(?:更正|不对|搞错了|其实|抱歉|訂正(?:です)?|すみません|実は|いや)[，,。、：:！!\\s]*)+',
);

/** A permanent change. */
export const LASTS: Pattern = anywhere(
  whole('for good', 'permanently', 'from now on', 'going forward', 'always', 'by default', 'in future', 'everywhere', 'because', 'since'),
  whole(
    'dauerhaft',
    'ab jetzt',
    'künftig',
    'immer',
    'weil',
    'pour de bon',
    'désormais',
    'toujours',
    'parce que',
    'siempre',
    'porque',
    'para siempre',
  ),
  '以后|永久|一直|因为|今後|ずっと|からです',
);
