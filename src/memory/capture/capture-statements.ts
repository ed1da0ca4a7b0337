import { sentencesOf, type Sentence } from './capture-text.ts';
import type { CaptureKind } from './capture-reasons.ts';

/** Something said that will still be true tomorrow. */
export interface Statement {
  readonly kind: CaptureKind;
  readonly text: string;
  readonly paragraph: number;
}

const LEAST_WORDS = 3;
const LONGEST_SENTENCE = 600;
const QUESTION =
  /[?？]\s*["'”’)]*$|^(?:(?:ok(?:ay)?|and|so|but|hey|hi|also|now|then|please)[,!]?\s+)*(?:(?:what|which|who|whose|whom|why|how|where)\b|(?:can|could|would|will|shall|should|do|does|did|is|are|was|were|has|have|when)\s+(?:you|we|i|it|the|this|that|there|they|my|our|does|do|did|is|are|will|should)\b)|\b(?:on|at|in|for|by|to|since) (?:what|which|whom)\b[^.]*\b(?:do|does|did|is|are|must)\b|\b(?:any idea|any chance)\b/iu;
/** Says that something is not settled, or only supposed. */
const UNSETTLED =
  /\b(?:maybe|perhaps|might|not sure|i wonder|what if|thinking (?:of|about)|considering|let me know|tell me|would it|could (?:it|be)|i guess|i think (?:we|it) (?:should|could|might)|should we|shall we|for now|this time|just this once|in this (?:pr|commit|change|file|function|test)|hypothetically|imagine|suppose|pretend|for example|e\.g\.)\b|^if\b|\bvielleicht\b|\bkönnten wir\b/iu;
/** What is wanted now, and done with when it is done. */
const REQUEST =
  /^(?:(?:ok(?:ay)?|now|then|next|also|great|good|thanks|thank you|perfect|yes|no|cool|nice|alright|right|hmm|and|so|but|please)[,.!]?\s+)*(?:i(?:'d| would)? (?:want|need|like) (?:you )?to|let's (?:see|look|start|try|check|run|continue|test|do|fix|add|write|make|get|have)|(?:go ahead|continue|try|run|fix|add|write|create|implement|refactor|rename|remove|delete|move|update|show|explain|check|look|open|read|find|search|list|print|commit|push|revert|undo|redo|retry|build|test|deploy|install|review|summarize|describe|change|set|put|give|help|tell|investigate|debug|document|generate|merge|rebase|bump|clean|format|lint|do it|start|stop|finish|wait|proceed)\b)/iu;

/** True for an hour: how things stand, and what is said of it. */
const PASSING =
  /\b(?:now|first|today)[.!]?$|\b(?:not|commit this|n['’]t \S+(?: \S+)?) yet\b|\bdo it now\b|\b(?:yesterday|this morning|right now|just now|at the moment|an? (?:hour|minute) ago|(?:hours|minutes) ago|never mind|what happened|i asked for|i said|ignore (?:it|them|that)|have a look|look at|typo|complain\w*|until (?:all|the) tests? pass(?:es)?|before (?:the demo|we continue|you continue))\b|\b(?:is|are|was|were|has|have)(?: \w+)? (?:red|back|down|broken|failing|crashed|crashing|stuck|slow|full|wrong|missing|empty|gone|weird|not (?:working|responding|what|there|right))\b|\b(?:does|do|did|will|would)(?: not|n['’]t) work\b|\bwon['’]t work\b|\bneeds? (?:a fix|fixing|to be fixed|another|some work)\b|\breturns? (?:[45]\d\d|null|undefined|nothing|an error)\b|\b(?:there is|we have|found|has|have) an? (?:bug|error|problem|issue)\b|\byou (?:never|always|forgot|did|broke|missed|should have)\b|\b(?:need|have|want) to fix\b/iu;

const CUES: readonly (readonly [CaptureKind, RegExp])[] = [
  [
    'decision',
    /\b(?:we|i|team|they|everyone)(?:'ve| have| all| just)? (?:decided|agreed|settled|chose|picked|opted|committed to|standardi[sz]ed|went with|will go with|(?:will|won't) (?:use|support|keep|drop|ship|store|run|stay)|stopped using)\b|\b(?:we|they)(?: are|['’]re)(?: now)? (?:moving|switching|migrating|dropping|replacing|sticking|going with|using)\b|\bdecision(?: is| was)?:|\bit (?:was|is|has been) (?:decided|agreed)\b|\b(?:let's|let us) (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e|drop|keep|adopt|settle on|not use)\b|\bfrom now on\b|\bgoing forward\b|\bwe no longer\b|\b(?:final|approved|official)(?:ly)?(?: choice| decision)\b|\bhaben (?:uns )?(?:entschieden|beschlossen)\b|\bab (?:jetzt|sofort)\b/iu,
  ],
  [
    'preference',
    /\b(?:i|we)(?: really| strongly| always| usually| generally)? (?:prefer|like|love|hate|dislike|avoid|don['’]t (?:want|like|use|allow)|do not (?:want|like|use|allow))\b(?! (?:it|this|that|these|those|(?:you )?to (?:see|know|do|start|fix|add|run))\b)|(?:^|[,;:—-] ?|\b(?:and|but|so|or|please|we|i|must|should|will|to) )(?:always|never)\b(?! (?:mind|get|gets|got|see|saw|seen|ran|had|have|finish|finishes|fails?|returns?|works?|happens?)\b)|\b(?:don['’]t|do not) (?:ever )?(?:use|add|write|commit|push|touch|edit|change|run|create|put|import|mock|skip|log|merge|force|rewrite|reformat)\b|\bplease (?:don['’]t|do not|avoid|stick)\b|\b(?:must|should|may|can) (?:always|never|not|only)\b|\b(?:every|all|each|any|no)\b[^.?!]{1,80}\b(?:must|should|needs? to|has to|have to)\b|\bmust not\b|\b(?:our |the |a )?(?:rule|convention|policy|style|guideline)(?: here| is|:)|\bno (?:emojis?|comments|semicolons|default exports|classes|any types|abbreviations)\b|\b(?:bitte|immer|niemals|bevorzuge)\b/iu,
  ],
  [
    'fact',
    /\b(?:remember(?: that)?|note(?: that)?|fyi|for the record|keep in mind|heads[- ]up|for (?:your )?(?:reference|context)|by the way|btw|important|be aware|just so you know|merke?)\b\s*[:,]?\s|\b(?:our|my (?:name|team|role|editor|machine|setup|time ?zone|branch|account|company|customers?|manager|preference))\b[^.?!]{1,60}\b(?:is|are|runs?|lives?|uses?|listens?|expires?|points?|comes?|has|have|needs?|requires?|happens?|goes|go|takes?|sits?|starts?|stays?|belongs?|called|named)\b|\bthe (?:[\w-]+ )?(?:staging|production|prod|database|db|api|server|ci|build|deploy(?:ment)?|release|test|cache|queue|repo(?:sitory)?|docs?|schema|cluster|bucket|domain|certificate|cron|worker|frontend|backend|migration|log|config|api key|token|port|customer|client|team|budget|deadline|launch|account|license|vendor|contract|rate limit|limit|timeout|quota|retention|price|url|endpoint|table|password|branch|owner|maintainer|standard|format|encoding|time ?zone)\b[^.?!]{0,60}\b(?:is|are|runs?|lives?|uses?|listens?|expires?|points?|comes?|has|have|needs?|requires?|happens?|goes|takes?|sits?|starts?|stays?|belongs?)\b|\b(?:is|are) (?:owned|maintained|hosted|located|deployed|stored|kept|managed|handled|generated) (?:by|in|on|at|under|from|with)\b|\b(?:deadline|launch|go-live|release) (?:is|date|on)\b|\bwe (?:use|run|deploy|host|keep|store|write|ship|target|support|pay|bill|release|test|log|cache|rely|depend|work|call|have to|rotate|sign|publish|back up)\b/iu,
  ],
];

/** Begins with somebody who does something now, or points at what is on the screen. */
const POINTING =
  /^(?:["'`(]*)(?:i|i['’]\w+|you|it|it['’]s|this|that|that['’]s|these|those|there|he|she|here|yes|no|ok(?:ay)?|oh|hm+|error|warning|failed|traceback|exception|at|line)\b/iu;
const VERB =
  /\b(?:is|are|was|were|has|have|goes|go|went|runs?|lives?|listens?|uses?|used|needs?|takes?|took|holds?|keeps?|kept|comes?|came|stays?|expires?|maps?|throws?|accepts?|compares?|rounds?|locks?|serves?|sends?|writes?|reads?|stops?|starts?|means?|requires?|supports?|happens?|belongs?|points?|costs?|sits?|ends?|begins?|refuses?|stores?|drops?|changed|moved|reduced|lowered|raised|replaced|took over|decides?|enforced|pays?|wants?|prefers?|likes?|works?|closes?|opens?|knows?|reports?|owns?|allows?)\b/iu;
/** A number, a name, a path, code: what a fact is about. */
const DETAIL = /\d|`[^`]+`|\w[/\\]\w|\w\.\w{2,}|\b[a-z]+[A-Z]\w|\b\w+_\w+|\b[A-Z]{2,}\b|(?<!^)(?<![.!?:] )\b\p{Lu}\p{Ll}{2,}/u;
/** What people say of what goes wrong. */
const SYMPTOM =
  /\b(?:wrong|blank|twice|nothing|errors?|but|broken|unexpected\w*|duplicates?|missing|crash\w*|hangs?|hung|fails?|failed|failing|slow\w*|weird|strange|undefined|null|bug|bugs|issue|instead|still|anymore|any more|shows?|sees?|looks?|looking|seems?|stuck|flaky|red|please|doesn['’]t|don['’]t|isn['’]t|not|can['’]t|cannot)\b/iu;
const LEAST_FACT_WORDS = 5;

/** A plain sentence with a detail in it, that neither asks, nor wants, nor complains. */
function isPlainFact(text: string): boolean {
  if (text.split(/\s+/).length < LEAST_FACT_WORDS || POINTING.test(text) || SYMPTOM.test(text)) return false;
  return VERB.test(text) && DETAIL.test(text);
}

function kindOf(text: string): CaptureKind | undefined {
  if (!isStatement(text)) return undefined;
  return CUES.find(([, cue]) => cue.test(text))?.[0] ?? (isPlainFact(text) ? 'fact' : undefined);
}

/**
 * Decisions, preferences and facts that a person states, each in the sentence that says so, with what follows it and only makes sense
 * behind it. Questions, wishes for now and suppositions are none. Linear.
 */
export function statementsIn(text: string): Statement[] {
  const found: Statement[] = [];
  let last: Sentence | undefined;
  for (const sentence of sentencesOf(text)) {
    const kind = kindOf(sentence.text);
    const before = found.at(-1);
    if (kind !== undefined) found.push({ kind, ...sentence });
    else if (before !== undefined && last?.paragraph === sentence.paragraph && isReason(sentence.text) && endsWith(before, last)) {
      found[found.length - 1] = { ...before, text: `${before.text} ${sentence.text}` };
    }
    last = sentence;
  }
  return found;
}

function isStatement(text: string): boolean {
  if (text.length > LONGEST_SENTENCE || text.split(/\s+/).length < LEAST_WORDS) return false;
  return !QUESTION.test(text) && !UNSETTLED.test(text) && !PASSING.test(text) && !(REQUEST.test(text) && !LASTING.test(text));
}

/** A wish for now that says that it is for good. */
const LASTING = /\b(?:always|never|from now on|going forward|every time|in (?:all|every)|remember|don't ever)\b/iu;
const REASON = /^(?:because|since|so that|otherwise|that(?:'s| is| way)|it(?:'s| is)?|this|they|the reason|reason:|weil|denn)\b/iu;

const isReason = (text: string): boolean => REASON.test(text) && !QUESTION.test(text) && text.length <= 300;
const endsWith = (statement: Statement, sentence: Sentence): boolean => statement.text.endsWith(sentence.text);
