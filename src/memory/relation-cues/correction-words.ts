/** Cues of corrections in six languages. In lower case. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const list = (...parts: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_'-])(?:${parts.join('|')})(?![\\p{L}\\p{N}_-])`, 'giu');

/** Points in time from which something holds, in four languages. */
const MOMENT = {
  en: '(?:today|yesterday|tomorrow|tonight|(?:the )?(?:this|last|next) (?:morning|evening|night|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|sprint|release)|(?:(?:this|last|next) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:early |late )?(?:january|february|march|april|june|july|august|september|october|november|december))',
  de: '(?:heute|gestern|morgen|(?:dieser|diesem|letzter|letztem|vergangener|nächster|nächstem) (?:woche|monat|jahr|quartal|sprint|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember))',
  fr: "(?:aujourd'hui|hier|demain|ce matin|cette semaine|ce mois-ci|(?:la semaine|le mois) (?:dernière?|prochaine?)|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: dernier| prochain)?|(?:janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre))",
  es: '(?:hoy|ayer|mañana|esta (?:mañana|semana)|este mes|(?:la semana|el mes) (?:pasad[ao]|que viene|próxim[ao])|el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre))',
};

/** Words of change; not counted as content of a sentence. */
export const CHANGE_PHRASES: readonly RegExp[] = [
  list(
    `(?:since|as of|starting|beginning|effective|from) ${MOMENT.en}(?: on(?:wards?)?)?|effective immediately`,
    `(?:seit|ab) ${MOMENT.de}`,
    `(?:depuis|à partir de|dès) ${MOMENT.fr}`,
    `(?:desde|a partir del?) ${MOMENT.es}`,
  ),
  list(
    'from now on|as of (?:now|today)|going forward|these days|nowadays|change of plans?|actually|right now|from today on|nowadays|by now',
    "(?:was|were|is|are|has|have|been|got|gets?|has been|have been|we(?:'ve)?|i(?:'ve)?)? ?(?:just )?(?:been )?(?:moved|migrated|switched|changed|upgraded|downgraded|bumped|raised|lowered|increased|decreased|reduced|extended|shortened|postponed|rescheduled|renamed|swapped|slipped|pushed|delayed|brought forward)(?: over| back)?(?: to| into| on)?",
    'went to|is now|are now|now|(?:go|goes|going|went|came|comes) (?:down|up|back) to',
    '(?:\\p{L}+ )?changed (?:his|her|their|its|our|my) minds?|(?<=^\\s*[\\p{L}-]+(?: [\\p{L}-]+)?) to (?=\\d)',
    'make (?:that|it)|correction|corrected|update|updated|erratum|new|latest|instead|scratch that|strike that|took over|takes over|i was wrong',
  ),
  list(
    'ab sofort|von jetzt an|ab jetzt|ab heute|künftig|umentschieden|jetzt|nun|nunmehr|inzwischen|mittlerweile|korrektur|berichtigung|stattdessen|doch',
    '(?:wurde|wurden|ist|sind|haben wir|hat)? ?(?:auf|zu|nach|in)? ?(?:verschoben|verlegt|umgestellt|umgestiegen|umgezogen|gewechselt|geändert|erhöht|gesenkt|aktualisiert|umbenannt|übernommen|übernimmt|vorgezogen|hochgesetzt|angehoben|gekürzt|verlängert)',
  ),
  list(
    'désormais|maintenant|dorénavant|dès maintenant|à partir de maintenant|correction|rectificatif|finalement',
    "(?:on |nous |c'|a |ont |est |sont |avons |été )*(?:passée?s?|passe(?:nt)?|migrée?s?|changée?s?|déplacée?s?|reportée?s?|décalée?s?|basculée?s?|remplacée?s?|augmentée?s?|réduite?s?|repoussée?s?|avancée?s?|remontée?s?|remonté|repoussé|baissé|porté)(?: à| au| en| vers)?",
  ),
  list(
    'ahora|desde ahora|a partir de ahora|de ahora en adelante|actualmente|corrección|al final|finalmente',
    '(?:hemos |se |ha |han |fue )*(?:pasado|cambiado|movido|migrado|aplazado|retrasado|adelantado|reducido|ampliado|subido|bajado|pasó|pasa|cambió|cambiamos|pasamos|movimos|migramos)(?: a| al)?',
  ),
];
/** Words of change in scripts without blanks. */
export const CHANGE_SIGNS: RegExp =
  /现在|如今|目前|改为|改成|改到|改用|改由|换成|换到|调整为|调整到|移到|升级[到为]|迁移[到至]|更正|已经?(?=改|换|升|迁)|以后|从今以后|今は|現在は|これからは|今後は|今後|訂正|変更(?:になりました|しました|した|になった|されました|された|になります)|に変わりました|に変わった|に交代(?:しました|した)?|に変更|変わりました|(?:こと)?になりました|移行しました|移行した/gu;

/** The outdated statement follows one of these, up to the end of the clause; the subject comes before. */
export const ENDS_AHEAD: readonly RegExp[] = [
  list(
    "(?:no|not any) (?:longer|more)|(?:not|\\p{L}+n't)(?= .{1,60} any ?(?:more|longer))|forget|dropped|drop(?= the \\d)|retired|ditched|abandoned|got rid of|stopped using|stopped|stop using|quit using|(?:moved|migrated|switched|moving) (?:off|away from)",
  ),
  list('nicht mehr|weg von|kein(?:e[nmrs]?)? mehr|kein(?:e[nmrs]?)?(?= [^.;,!?]{1,40} mehr)'),
  list("et plus|(?:n'|ne )\\S+ plus|plus(?= \\p{Lu})"),
  list('ya no'),
];
export const ENDS_AHEAD_SIGNS: RegExp = /不再(?:是|用|使用|由|在)?|もう(?=.{0,20}(?:ない|ません))/u;
/** The current statement comes before one of these, the outdated one after it. */
export const SWAPS_AHEAD: readonly RegExp[] = [
  list(
    'instead of|rather than|in place of|over from|replaced|replaces|(?<=(?:took|takes|taking) over .{0,60})from|(?<=^\\s*(?:and |but )?)not',
  ),
  list('statt|anstatt|anstelle von|(?<=(?:übernimmt|übernommen) .{0,60})von|(?<=^\\s*(?:und |aber )?)nicht'),
  list('au lieu d[eu]s?|à la place d[eu]s?|plutôt que|remplace|(?<=^\\s*(?:et )?)(?:pas|non)'),
  list('en (?:vez|lugar) del?|sustituye a|reemplaza a|(?<=^\\s*(?:y )?)no'),
];
export const SWAPS_AHEAD_SIGNS: RegExp = /(?:而)?不是|取代了?|代替了?/u;
/** The outdated statement comes before one of these, from the start of the clause. */
export const DENIES_BEHIND: readonly RegExp[] = [
  list(
    '(?:is|are|was|has been|have been) (?:now )?(?:gone|out|dead|history|retired|dropped|deprecated|turned off|shut down|removed|off the table)',
    '(?:has |have )?left(?: the (?:team|company|project))?|(?:is|are|was|were|has been|have been) replaced (?:by|with)|(?:is|are|was) no longer (?:used|in use|it)',
  ),
  list(
    '(?:ist|sind|wurde|wurden) (?:weg|raus|abgeschafft|abgeschaltet|passé)|(?:wurde|wurden|wird|werden|ist|sind) (?:nun )?(?:ersetzt )?durch',
  ),
  list('(?:est|sont) (?:abandonnée?s?|fini|retirée?s?)|(?:a été |est )remplacée? par'),
  list('(?:se acabó|queda fuera)|(?:fue|ha sido|está) (?:reemplazad[oa]|sustituid[oa]) por'),
];
export const DENIES_BEHIND_SIGNS: RegExp =
  /(?:ではなく|じゃなくて?|ではありません|ではない|でなく|の代わりに|は廃止(?:した|しました|されました)?|は使わず|をやめて|已弃用|已停用|已废弃)/u;
/** The old value, then the new one. */
export const FROM_TO: readonly RegExp[] = [
  /(?<=\s)from\s+(?<old>\S+(?:\s\S+){0,3}?)\s+to\s+/iu,
  /(?<=\s)von\s+(?<old>\S+(?:\s\S+){0,3}?)\s+(?:auf|zu|nach)\s+/iu,
  /(?<=\s)d[eu]\s+(?<old>\S+(?:\s\S+){0,2}?)\s+(?:à|au|vers)\s+/iu,
  /(?<=\s)del?\s+(?<old>\S+(?:\s\S+){0,2}?)\s+al?\s+/iu,
  /[从由]\s*(?<old>[^，。；、]{1,20}?)\s*(?=改[为成到用]|换[成到]|迁移[到至]|切换到|升级[到为])/u,
  /(?<=[はがをも])(?<old>[^はがをも、。]{1,20}?)から(?=[^、。]{1,20}?[にへ](?:移行|変更|切り替え|変わ|交代))/u,
];

/** Adds something and replaces nothing. */
export const ADDS: RegExp =
  /(?<![\p{L}\p{N}_-])(?:also|too(?=\s*(?:[.!,;]|$))|as well|additionally|in addition|besides|both|another|second|auch|zusätzlich|außerdem|ebenfalls|aussi|également|en plus|de plus|también|además)(?![\p{L}\p{N}_-])|也|还|另外|此外|同时|さらに|加えて|にも|でも使/iu;

/** Light words: verbs and nouns between a subject and its value, and function words. */
export const LIGHT: ReadonlySet<string> = wordsOf(`
a an the our my your their its his her this that these those all every each it they we i you he she there here one who
is are was were be been being am has have had after before until do does did can must should may needs need have has to of in on at by for from with as into via through
and or but so because since then than not no only just still already really again ok okay please hey fyi note btw
use uses used using run runs running ran live lives lived go goes went going gone come comes came coming get gets got make makes made take takes took taken
keep keeps kept hold holds stay stays sit sits store stores stored send sends sent happen happens work works let put
call calls called named name names require requires required expect expects expected done be being built set sets
start starts begin begins listen listens point points
limit limits maximum minimum max min value version day date time responsible charge amount size number handle handles any anymore more longer enough few old former due out schon oh ah hm
der die das den dem des ein eine einen einem einer unser unsere unserem unseren unserer wir ich man es sie er und oder aber auch mit von vom zu zum zur im in am an auf aus bei für fürs
ist sind war wird werden wurde wurden hat haben sein nach vor bis über unter durch sich als um ab nutzen nutzt benutzen benutzt verwenden verwendet läuft laufen liegt liegen steht stehen kommt kommen geht gehen bleibt
heißt sondern statt alte alter alten altes bisherige bisherigen tag datum uhrzeit mehr nehmen nimmt raus rein startet starten findet zuständig verantwortlich beginnt beginnen lauscht
le la les l un une des du de d et ou avec est sont c a été en au aux sur sous pour par après avant dans ce cette ces on nous il elle ils elles qui que se sa son notre nos
utilise utilisons utilisent va vont vient tourne tournent trouve s'appelle mais ne n à où dès ancien ancienne déjà commence démarre écoute
el los las lo del al una unos unas y o con es son fue está están por para después antes en que su sus nuestro nuestra nosotros se nos usa usamos usan va van corre pero sino lleva llevan empieza comienza antiguo antigua escucha él
`);
/** Prepositions that narrow a statement to a part, place or use. */
export const NARROWS: ReadonlySet<string> = wordsOf(`for in at within inside of on für fürs bei beim im in pour dans chez para en`);
/** Word borders in scripts without blanks. */
export const SIGN_BORDERS: RegExp =
  /から|まで|です|ます|ました|している|しています|して|した|する|こと|使って(?:います|いる)?|使う|使い|を?使用|采用|负责|进行|我们|私たち|我々|[的了把由在是用为到给和与从请都就则使得]|[はがをもにでのとへや今]/u;
/** Begins a reason. */
export const REASONS: RegExp = new RegExp(
  `^\\s*(?:because|since(?! ${MOMENT.en}(?![\\p{L}]))|as(?! of )|weil|denn|da|damit|parce qu|car|porque|ya que|因为|なぜなら)(?![\\p{sc=Latin}])`,
  'iu',
);
/** Restricts the current state only. */
export const MERELY: RegExp = /(?<![\p{L}])(?:only|nur|künftig|seulement|solo|sólo)(?![\p{L}])|只|だけ/giu;
/** Begins a description of someone or something. */
export const COPULAS: ReadonlySet<string> = wordsOf('is are ist sind est sont es son');
