import { anywhere, whole } from './relation-cues-words.ts';

/** Position of the old thing: the last words before the cue, the first after it, or the group `old` in it. */
type Side = 'before' | 'after' | 'inside';

/** A phrase that says that one thing replaced another. */
export interface ReplacementCue {
  readonly name: string;
  readonly pattern: RegExp;
  readonly old: Side;
  /** Position of the new thing, if it is next to the cue. Otherwise any word that the older text lacks may be it. */
  readonly now?: 'before' | 'after';
  readonly strength: number;
}

/** A word or phrase that is a cue by itself. */
export interface PlainCue {
  readonly name: string;
  readonly pattern: RegExp;
}

const word = '[^\\s,;:!?()"。，；：！？]+';
/** One to five words, non-greedy. */
const phrase = `${word}(?:\\s+${word}){0,4}?`;
const replacement = (
  name: string,
  pattern: RegExp,
  old: Side,
  more: Partial<Pick<ReplacementCue, 'now' | 'strength'>> = {},
): ReplacementCue => ({
  name,
  pattern,
  old,
  strength: 0.9,
  ...more,
});
const after = { now: 'after' } as const;
const both = { now: 'after', strength: 0.95 } as const;
const old = `(?<old>${phrase})`;

/** Cues that name the replaced thing. The first match wins, so the most specific come first. */
export const REPLACEMENTS: readonly ReplacementCue[] = [
  replacement(
    'moved from … to',
    whole(
      `(?:moved|migrated|switched|changed|went|renamed|converted|transferred|raised|lowered|increased|decreased|reduced|upgraded)\\s(?:[^.;!?]{0,80}?\\s)?from\\s+${old}\\s+(?:over\\s+)?to`,
    ),
    'inside',
    both,
  ),
  replacement('replaced with', whole(`replaced\\s+${old}\\s+(?:with|by)`), 'inside', both),
  replacement(
    'replaced by',
    whole('(?:(?:was|were|is|are|got|has been|have been)\\s+)(?:now\\s+)?(?:replaced|superseded)\\s+(?:by|with)'),
    'before',
    both,
  ),
  replacement('replaces', whole('replaces|replaced|supersedes|superseded|took over from'), 'after', { now: 'before' }),
  replacement('deprecated in favour of', whole('(?:(?:was|were|is|are|has been)\\s+)?deprecated\\s+in\\s+favou?r\\s+of'), 'before', both),
  replacement('dropped in favour of', whole(`(?:dropped|abandoned|retired|deprecated)\\s+${old}\\s+in\\s+favou?r\\s+of`), 'inside', both),
  replacement('dropped … for', whole(`(?:dropped|ditched|swapped|traded)\\s+${old}\\s+for`), 'inside', both),
  replacement(
    'dropped',
    whole(
      "(?:we|they|i)(?:\\s+have|[’']ve)?\\s+(?:just\\s+)?(?:dropped|retired|abandoned|ditched|got\\s+rid\\s+of|moved\\s+(?:away\\s+from|off))",
    ),
    'after',
    { strength: 0.8 },
  ),
  replacement('renamed to', whole('(?:(?:was|were|is|are|has been)\\s+)renamed\\s+(?:to|into|as)'), 'before', both),
  replacement('renamed', whole(`renamed\\s+${old}\\s+(?:to|into|as)`), 'inside', both),
  replacement(
    'was …, now',
    whole(`(?:was|were|used\\s+to\\s+be)\\s+${old},?\\s+(?:but\\s+|and\\s+)?(?:it\\s+)?(?:is\\s+)?now`),
    'inside',
    after,
  ),
  replacement(
    '(was …)',
    anywhere(
      '\\((?:was|were|before|previously|formerly|until\\s+now|vorher|bisher|zuvor|avant|auparavant|antes)[:\\s]\\s*(?<old>[^()]{1,40})\\)',
    ),
    'inside',
  ),
  // With a digit: other arrows are flows.
  replacement(
    '… -> …',
    anywhere('(?<old>[^\\s,;:()]*\\d[^\\s,;:()]*(?:\\s\\p{L}+)?)\\s*(?:->|→|⇒)\\s*(?=[^\\s,;:()]*\\d)'),
    'inside',
    after,
  ),
  replacement('instead of', whole('instead\\s+of|in\\s+place\\s+of'), 'after'),
  replacement('now …, not', whole('now(?:\\s+on)?,?\\s+(?:and\\s+)?(?:not|no\\s+more)(?!\\s+(?:only|just|yet))'), 'after'),
  replacement(
    '…, not',
    // Up to three words at the end of the clause: the old thing.
    anywhere(
      ',\\s+(?:and\\s+)?(?:not|no\\s+(?:longer|more)|nicht(?:\\s+mehr)?|(?:et\\s+)?non(?:\\s+plus)?|ya\\s+no)(?!\\s+(?:only|just|yet|nur|noch))(?=(?:\\s+[^\\s.,;!:]{1,40}){1,3}\\s*(?:[.,;!:]|$))',
    ),
    'after',
    { strength: 0.8 },
  ),
  replacement('formerly', whole('formerly|previously|used\\s+to\\s+be'), 'after', { strength: 0.8 }),
  replacement('not … but', whole(`not\\s+(?!only|just|yet|sure)${old},?\\s+but(?!\\s+(?:only|also))`), 'inside', {
    now: 'after',
    strength: 0.8,
  }),
  replacement(
    'von … auf',
    whole(
      `von\\s+${old}\\s+(?:auf|zu|nach|in)(?=\\s[^.;!?]{1,80}?\\s(?:umgezogen|umgestellt|gewechselt|verlegt|migriert|umbenannt|geändert|erhöht|gesenkt))`,
    ),
    'inside',
    both,
  ),
  replacement('ersetzt durch', whole('(?:wurde[n]?|wird|werden|ist|sind)\\s+durch'), 'before', after),
  replacement('statt', whole('statt|anstatt|anstelle\\s+von|an\\s+stelle\\s+von'), 'after'),
  replacement('nicht …, sondern', whole(`nicht\\s+(?!nur)${old},?\\s+sondern`), 'inside', { now: 'after', strength: 0.8 }),
  replacement('früher', whole('früher|vormals|ehemals'), 'after', { strength: 0.8 }),
  replacement(
    'passé de … à',
    whole(
      `(?:passée?s?|passons|migrée?s?|migré|déplacée?s?|basculée?s?|renommée?s?)\\s(?:[^.;!?]{0,80}?\\s)?(?:de|du)\\s+${old}\\s+(?:à|au|vers|en)`,
    ),
    'inside',
    both,
  ),
  replacement('remplacé par', whole('(?:a\\s+été\\s+|ont\\s+été\\s+|est\\s+|sont\\s+)remplacée?s?\\s+par'), 'before', both),
  replacement('remplace', whole('remplace|remplacent'), 'after', { now: 'before' }),
  replacement('au lieu de', whole('au\\s+lieu\\s+(?:de|du|des)|à\\s+la\\s+place\\s+(?:de|du|des)'), 'after'),
  replacement('non pas … mais', whole(`(?:non\\s+pas|pas)\\s+(?!seulement)${old},?\\s+mais`), 'inside', { now: 'after', strength: 0.8 }),
  replacement(
    'pasó de … a',
    whole(
      `(?:pasó|pasamos|pasaron|migró|migramos|migraron|cambió|cambiamos|movimos|movió|trasladó|trasladamos|renombrado|renombramos)\\s(?:[^.;!?]{0,80}?\\s)?(?:de|del|desde)\\s+${old}\\s+(?:a|al|hacia|por)`,
    ),
    'inside',
    both,
  ),
  replacement(
    'reemplazado por',
    whole('(?:fue|fueron|ha\\s+sido|han\\s+sido|está|es)\\s+(?:reemplazad[oa]s?|sustituid[oa]s?)\\s+por'),
    'before',
    both,
  ),
  replacement('reemplaza a', whole('(?:reemplaza|sustituye)n?(?:\\s+a)?'), 'after', { now: 'before' }),
  replacement('en lugar de', whole('en\\s+(?:lugar|vez)\\s+(?:de|del)'), 'after'),
  replacement(
    'перешли с … на',
    whole(
      `(?:перешл[аио]|перешёл|перешел|перенесли|перенесён|перенесен|переехал[аио]?|мигрировали|переключились|сменили|переименован[аоы]?)\\s(?:[^.;!?]{0,80}?\\s)?(?:с|со|из)\\s+${old}\\s+(?:на|в)`,
    ),
    'inside',
    both,
  ),
  replacement('заменили … на', whole(`(?:заменили|заменил[аи]?)\\s+${old}\\s+на`), 'inside', both),
  replacement('заменён на', whole('(?:был[аои]?\\s+)?замен(?:ён|ен|ена|ено|ены)\\s+на'), 'before', both),
  replacement('вместо', whole('вместо'), 'after'),
  replacement('не …, а', whole(`не\\s+(?!только)${old},\\s+а`), 'inside', { now: 'after', strength: 0.8 }),
  replacement(
    '从…改为',
    anywhere('(?:从|由)\\s*(?<old>[^，。；、]{1,30}?)\\s*(?:改为|改成|换成|迁移到|迁移至|切换到|移到|升级到|更名为|改名为)'),
    'inside',
    both,
  ),
  replacement('被…取代', anywhere('(?:已经?)?被(?=[^，。；]{1,30}(?:取代|代替|替换|替代))'), 'before'),
  replacement('代替', anywhere('取代了?|代替了?|替代了?'), 'after', { now: 'before' }),
  replacement('而不是', anywhere('而不再?是'), 'after'),
  replacement('不是…而是', anywhere('不再?是(?<old>[^，。；、]{1,30}?)[，,]?\\s*而是'), 'inside', { now: 'after', strength: 0.8 }),
  replacement(
    'から…に移行',
    anywhere(
      '(?:^|[はがをも、\\s])(?<old>[^\\sはがをも、。]{1,30}?)から\\s*(?=[^、。]{1,30}?(?:に|へ)\\s*(?:移行|変更|切り替え|移転|移動|変わ|改名))',
    ),
    'inside',
    both,
  ),
  replacement('の代わりに', anywhere('の代わりに|に代わって|に代わり'), 'before'),
  replacement('ではなく', anywhere('ではなく(?!て?も)て?'), 'before', { strength: 0.8 }),
  replacement(
    '에서 …로 변경',
    anywhere('(?<old>[^\\s,.]{1,30}?)에서\\s+(?=[^,.]{1,40}?로\\s+(?:변경|이전|전환|교체|바뀌|바꿨|옮))'),
    'inside',
    both,
  ),
  replacement('대신', anywhere('\\s대신(?:에)?(?=\\s)'), 'before'),
  replacement('아니라', anywhere('(?:이|가)\\s+아니라'), 'before', { strength: 0.8 }),
];

/** Cues that end what is in the same clause. */
export const ENDINGS: readonly PlainCue[] = [
  { name: 'no longer', pattern: whole('no\\s+longer') },
  { name: 'not anymore', pattern: whole("(?=any)(?<=(?:\\snot|n't)\\s[^.;!?]{0,120})any\\s?(?:more|longer)") },
  { name: 'nicht mehr', pattern: whole('nicht\\s+mehr|keine?[mnrs]?\\s+[^.;,!?]{1,40}\\smehr') },
  {
    name: 'ne … plus',
    pattern: anywhere("(?=plus)(?<=(?:^|\\s)(?:ne\\s+|n'|n’)[^\\s,.;]{1,20}\\s)plus(?=\\s)(?!\\s+(?:de|d'|d’|que)\\s)"),
  },
  { name: 'ya no', pattern: whole('ya\\s+no') },
  { name: 'больше не', pattern: whole('больше\\s+не') },
  { name: '不再', pattern: anywhere('不再(?!是)') },
  { name: 'もう…ない', pattern: anywhere('もう(?=[^。、]{0,20}(?:ない|ません))|(?:なくなった|なくなりました|廃止した|廃止された)') },
  { name: '더 이상', pattern: anywhere('더\\s*이상') },
];

const day =
  "(?:\\d{4}-\\d\\d(?:-\\d\\d)?|\\d{1,2}\\.\\d{1,2}\\.(?:\\d{4})?|(?:the\\s+)?\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?\\p{L}{3,10}(?:\\s+\\d{4})?|\\p{Lu}\\p{L}{2,9}(?:\\s+\\d{1,2})?(?:,?\\s+\\d{4})?|today|heute|hoy|aujourd[’']hui|сегодня)";

/** Cues of a current value: if the older text says the same except for one value, that value is replaced. */
export const CHANGES: readonly PlainCue[] = [
  { name: 'correction:', pattern: anywhere('^\\s*(?:correction|corrected|update|updated|edit|erratum)\\s*:') },
  { name: 'Korrektur:', pattern: anywhere('^\\s*(?:korrektur|berichtigung|aktualisierung|neu)\\s*:') },
  { name: 'correction :', pattern: anywhere('^\\s*(?:rectificatif|mise à jour)\\s*:') },
  { name: 'corrección:', pattern: anywhere('^\\s*(?:corrección|actualización)\\s*:') },
  { name: 'исправление:', pattern: anywhere('^\\s*(?:исправление|обновление|поправка)\\s*:') },
  { name: '更正：', pattern: anywhere('^\\s*(?:更正|更新|修正|訂正|정정|업데이트|수정)\\s*[:：]') },
  {
    name: 'as of',
    pattern: anywhere(
      `(?:^|(?<=\\s))(?:as\\s+of|since|effective|starting|seit|ab|à\\s+partir\\s+du?|depuis\\s+le|a\\s+partir\\s+de|desde\\s+el|с)\\s+${day}(?=[\\s,.]|$),?`,
    ),
  },
  { name: 'switched to', pattern: whole('(?:(?:has|have|was|were|been)\\s+)*(?:switched|moved|migrated|changed)\\s+(?:over\\s+)?to') },
  { name: 'now', pattern: whole('now') },
  { name: 'jetzt', pattern: whole('jetzt|nunmehr|ab\\s+sofort') },
  { name: 'désormais', pattern: whole('désormais|maintenant') },
  { name: 'ahora', pattern: whole('ahora') },
  { name: 'теперь', pattern: whole('теперь') },
  { name: '现在', pattern: anywhere('现在已?|现已|如今|改为|改用') },
  { name: '現在は', pattern: anywhere('現在は|今は|今後は') },
  { name: '이제', pattern: anywhere('이제(?:는)?(?=\\s)') },
];

/** Cues of an addition to the older text. */
export const ADDITIONS: readonly PlainCue[] = [
  { name: 'in addition', pattern: whole('in\\s+addition(?:\\s+to)?|additionally|moreover|furthermore|besides|on\\s+top\\s+of\\s+that') },
  { name: 'also', pattern: whole('also') },
  {
    name: 'details:',
    pattern: anywhere(
      '^\\s*(?:(?:more\\s+)?details?|more\\s+(?:about|on)|background|einzelheiten|mehr\\s+zu|détails?|detalles?|подробнее|подробности|详情|详细|補足|補充|补充|詳細|자세히|상세)(?=\\s|:|：)',
    ),
  },
  { name: 'see also', pattern: whole('see\\s+also|siehe\\s+auch|voir\\s+aussi|véase\\s+también|см\\.\\s+также') },
  { name: 'because', pattern: whole('because|weil|parce\\s+que?|porque|потому\\s+что') },
  { name: 'außerdem', pattern: whole('außerdem|zusätzlich|darüber\\s+hinaus|ferner') },
  { name: 'de plus', pattern: anywhere('^\\s*(?:de\\s+plus|en\\s+outre)(?=[\\s,])|(?<=\\s)également(?=[\\s.,])') },
  { name: 'además', pattern: whole('además|también') },
  { name: 'кроме того', pattern: whole('кроме\\s+того|дополнительно|также') },
  { name: '此外', pattern: anywhere('此外|另外|因为|详见') },
  { name: 'さらに', pattern: anywhere('さらに|加えて|また、|なぜなら') },
  { name: '또한', pattern: anywhere('또한|게다가|추가로|왜냐하면') },
];
