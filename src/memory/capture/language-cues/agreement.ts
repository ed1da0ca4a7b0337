import { anywhere, begins, type Pattern } from './language-cues.ts';

/** Patterns of proposals and agreement in one language. */
interface Agreement {
  /** A proposal of an assistant, not an announcement of its next step. */
  readonly proposes: Pattern;
  /** `yes`: agrees to an explicit proposal. */
  readonly yes: Pattern;
  /** `do it that way`: agrees to any previous answer. */
  readonly thatWay: Pattern;
  /** Prefix of an agreed proposal. */
  readonly agreed: string;
}

/** Immediate steps of an assistant, which are no proposals. */
const STEP =
  '(?:also |then |now |just |first )?(?:run|start|begin|check|look|read|try|test|investigate|open|commit|push|fix|wait|ask|rerun|continue|go|see|say|verify|profile|bisect)';

export const AGREEMENTS: readonly Agreement[] = [
  {
    proposes: anywhere(
      `(?<![\\p{L}])(?:i would|i'd|i(?:'d| would)? (?:suggest|propose|recommend)|my (?:suggestion|proposal|recommendation)(?: is|:)|(?:we|i|you|one) could|how about|would (?:do|suffice|be enough)|i(?:'d| would) go with)(?![\\p{L}])(?! (?:to |we |that we |you |rather |be happy |need to )?${STEP}(?:ing|ning)?(?![\\p{L}]))(?! (?:suggest|propose|recommend|rather) (?:to )?${STEP})`,
    ),
    yes: begins(
      'yes',
      'yep',
      'yeah?',
      'ye',
      'yup',
      'ya',
      'sure',
      'ok(?:ay)?',
      'agreed?',
      'fine',
      'good',
      'great',
      'perfect',
      'right',
      'sounds (?:good|great|fine|right)',
      'go (?:ahead|for it)',
      'do (?:it|that|so)',
      "let's (?:do|go)",
      'works for me',
      'lgtm',
      'i agree',
      'please do',
      'makes sense',
      'good (?:point|idea)',
    ),
    thatWay: anywhere(
      "(?<![\\p{L}])(?:(?:do|take|use|make|build) (?:it |that |this )?(?:like )?(?:that|this|it)(?: way)?|that way|go (?:ahead )?with (?:that|it|this)|go for it|go ahead|agreed|i agree|your way|as (?:you )?(?:proposed|suggested)|let's (?:do|go with|take) (?:that|it|this))(?![\\p{L}])",
    ),
    agreed: 'Agreed:',
  },
  {
    proposes: anywhere(
      '(?<![\\p{L}])(?:ich würde(?! (?:gern|zuerst|erst|jetzt|mal))|ich (?:schlage|empfehle)|mein vorschlag|vorschlag:|wir könnten|wie wäre es|am besten)(?![\\p{L}])',
    ),
    yes: begins(
      'ja',
      'jo',
      'jep',
      'gern(?:e)?',
      'gut',
      'ok(?:ay)?',
      'einverstanden',
      'passt',
      'genau',
      'klingt gut',
      'machen? wir',
      'mach(?:e)? das',
      'super',
      'perfekt',
      'alles klar',
      'in ordnung',
      'so machen',
    ),
    thatWay: anywhere(
      '(?<![\\p{L}])(?:so machen wir|machen wir so|mach(?:e|t)? (?:das|es) so|einverstanden|so nehmen wir|genau so|gehen wir so)(?![\\p{L}])',
    ),
    agreed: 'Einverstanden:',
  },
  {
    proposes: anywhere(
      '(?<![\\p{L}])(?:je (?:propose|suggère|recommande|conseille)|je (?:mettrais|prendrais|ferais|choisirais|utiliserais|garderais)|on pourrait|ma proposition|et si on)(?![\\p{L}])',
    ),
    yes: begins(
      'oui',
      "d'accord",
      'ok(?:ay)?',
      'parfait',
      'très bien',
      'ça marche',
      'ça me va',
      'vas-y',
      'allons-y',
      'bonne idée',
      'entendu',
      'faisons',
    ),
    thatWay: anywhere(
      "(?<![\\p{L}])(?:fais(?:ons)? (?:comme )?(?:ça|cela)|comme ça|d'accord|vas-y|on fait (?:comme )?ça|ça me va)(?![\\p{L}])",
    ),
    agreed: "D'accord :",
  },
  {
    proposes: anywhere(
      '(?<![\\p{L}])(?:propongo|sugiero|recomiendo|yo (?:usaría|pondría|haría|guardaría)|usaría|pondría|guardaría|podríamos|mi propuesta)(?![\\p{L}])',
    ),
    yes: begins(
      's[ií]',
      'vale',
      'ok(?:ay)?',
      'de acuerdo',
      'perfecto',
      'dale',
      'claro',
      'bien',
      'me parece bien',
      'adelante',
      'hazlo',
      'buena idea',
      'hagamos',
    ),
    thatWay: anywhere('(?<![\\p{L}])(?:hazlo (?:así|de esa forma)|así|de acuerdo|adelante|hagámoslo|lo hacemos así)(?![\\p{L}])'),
    agreed: 'De acuerdo:',
  },
  {
    proposes: anywhere('建议|我会用|我会把|提议|推荐|不如|可以用|我倾向'),
    yes: anywhere('^(?:好|行|可以|同意|对|没问题|嗯|就这样|ok)'),
    thatWay: anywhere('就这样|这么做|这样做|同意|就按|按你说的'),
    agreed: '同意：',
  },
  {
    proposes: anywhere('提案|をおすすめ|おすすめします|がよいと思います|が良いと思います|がいいと思います|のはどうでしょう|にしましょう'),
    yes: anywhere('^(?:はい|うん|ええ|いいね|いいです|了解|それで|賛成|お願い|ok)'),
    thatWay: anywhere('それで(?:いこう|行こう|お願い|進め|いい)|そうしよう|そうしましょう|そのやり方|賛成|同意'),
    agreed: '合意：',
  },
];
