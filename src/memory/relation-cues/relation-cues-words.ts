/** Matches whole words in any script: `\b` knows ASCII only. */
export const whole = (pattern: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${pattern})(?![\\p{L}\\p{N}_-])`, 'iu');
/** Matches anywhere: for scripts without blanks, and patterns with their own borders. */
export const anywhere = (pattern: string): RegExp => new RegExp(pattern, 'iu');

/** A sentence with one of these states no change: it asks, plans, doubts, forbids, or is about a part. */
export const UNSETTLED: readonly RegExp[] = [
  /[?？]/,
  // Lower case: not the month or the name.
  /(?<![\p{L}'-])(?:may|will)(?![\p{L}'-])/u,
  whole(
    "should(?:\\s+we)?|consider(?:s|ed|ing)?|might|could|would|maybe|perhaps|plan(?:s|ned|ning)?\\s+(?:to|on|for)|(?:is|are)\\s+planned|propos(?:e|es|ed|al|ing)|suggest(?:s|ed)?|wants?|wish(?:es)?|discuss(?:ed|ing)?|evaluat(?:e|es|ed|ing)|tr(?:y|ies|ied|ying)|idea|todo|going\\s+to|if|unless|temporarily|for\\s+the\\s+time\\s+being|not\\s+yet|decided\\s+against|rejected|refused|except|only|partly|partially|some|for\\s+new|next\\s+(?:week|month|quarter|year)|never|(?:do|does|did|was|were|is|are|has|have)(?:\\s+not|n['’]t)\\s+(?:be\\s+|been\\s+)?(?:move|migrate|switch|change|rename|replace|use)d?(?![^.;!?]*\\sany\\s?(?:more|longer))",
  ),
  whole(
    'sollten?|würden?|könnten?|vielleicht|geplant|überlegen|vorschlag|künftig|falls|wenn|außer|vorübergehend|noch\\s+nicht|nur|teilweise|nächste[nrs]?',
  ),
  whole('devrait|devrions|pourrait|peut-être|prévu|envisage(?:ons)?|proposition|si|sauf|pas\\s+encore|seulement|prochaine?'),
  whole('debería(?:mos)?|podría(?:mos)?|quizás?|tal\\s+vez|planea(?:mos)?|propuesta|si|excepto|salvo|todavía\\s+no|solo|sólo|próxim[oa]'),
  whole('возможно|может|планируем|планируется|предлага\\p{L}*|если|кроме(?!\\s+того)|пока\\s+не|только|будет|хотим'),
  anywhere('也许|可能|计划|考虑|建议|如果|除了|仅|只有|暂时|将(?:来|要|会)|是否|还没'),
  anywhere('かもしれ|予定|検討|提案|もし|以外|だけ|一時的|まだ'),
  anywhere('아마|예정|검토|계획|제안|만약|제외|임시|아직|[가-힣]만\\s'),
];

/** Prepositions that narrow a statement to a place, group or use. */
export const NARROWING = whole('in|for|at|on|of|within|bei|für|im|pour|dans|chez|para|en|для|в|у');

/** Prepositions before the subject of an older statement, if the newer one does not name it. */
export const BELONGING = whole('of|for|von|für');

/** Separators of list items. */
export const LISTING = /\s*(?:,|、|\s(?:and|or|und|oder|et|ou|y|o|и|или)\s|和|与|及|や)\s*/iu;

/** Dates and times do not narrow a statement. */
export const TIME =
  /^(?:\p{N}.*|jan|feb|mar|apr|mai|juni?|juli?|aug|sep|okt|oct|nov|dec|dez|januari|februari|march|april|may|august|septemb|octob|novemb|decemb|mondai|tuesdai|wednesdai|thursdai|fridai|saturdai|sundai|week|month|quarter|year|spring|summer|autumn|winter|last)$/u;

/** Environments that can have different settings. */
export const SCOPES: readonly (readonly string[])[] = [
  ['production', 'prod', 'produktion', 'producción', 'прод', '生产', '本番', '운영'],
  ['staging', 'stage', 'preprod', '预发', 'ステージング', '스테이징'],
  ['development', 'dev', 'local', 'localhost', '开发', '開発', '개발'],
  ['test', 'testing', 'qa', '测试', 'テスト', '테스트'],
  ['ci'],
  ['sandbox'],
  ['preview'],
  ['demo'],
  ['canary'],
];

/** Pairs of opposites, positive first. */
export const OPPOSITES = `
enable disable; enabled disabled; enables disables; allow forbid; allowed forbidden; allowed prohibited; allowed banned; allows forbids
required optional; supported unsupported; valid invalid; safe unsafe; possible impossible; include exclude; includes excludes
included excluded; true false; accept reject; accepts rejects; accepted rejected; encrypted unencrypted
erlaubt verboten; aktiviert deaktiviert; autorisé interdit; activé désactivé; permitido prohibido; activado desactivado
разрешён запрещён; разрешено запрещено; включён выключен; включено выключено
`;

/** Single words of change. One suffices to rank the newer of two entries first; hiding the older one requires a cue. */
export const CHANGE_HINTS = `
now longer anymore instead since moved switched replaced replaces changed renamed formerly previously supersedes superseded correction
jetzt nunmehr seit statt stattdessen nicht mehr désormais maintenant depuis remplace ahora desde teraz zamiast artık yerine
теперь вместо больше 现在 改为 改成 不再 已改 今は 変更 代わ 이제 대신 변경
`;
