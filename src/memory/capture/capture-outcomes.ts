import { sentencesOf } from './capture-text.ts';
import type { Statement } from './capture-statements.ts';
import type { CaptureKind } from './capture-reasons.ts';

const LEAST_WORDS = 5;
const LONGEST_SENTENCE = 500;
const MOST_SENTENCES = 6;
/** Announces work, asks, or is only polite. */
const PASSING =
  /[?？]\s*["'”’)]*$|^(?:(?:ok(?:ay)?|great|good|perfect|sure|alright|right|yes|now|so|and|hmm|well|done|thanks)[,.!:—-]*\s+)*(?:let me|let's|i'll|i will|i'm (?:going|now|about)|i am (?:going|now)|i need to|i should|i can (?:see|also)|i see|i'd|now,? (?:i|let|we)|next,? (?:i|let|we|step)|first,? (?:i|let|we)|then (?:i|we)|looking|checking|running|reading|searching|waiting|starting|working|trying|you're (?:right|welcome|absolutely)|you can|feel free|would you|do you|please|if you|happy to|here(?:'s| is| are)|to do (?:this|that)|we (?:should|could|need to|can)|todo|the user)\b|\b(?:let me know|would you like|want me to|shall i|should i|not sure|might be|may be|could be|probably|perhaps|maybe|i think|seems? (?:to|like)|appears? to|looks? like|next steps?|remaining work|still (?:to do|need)|not yet|to be done|will (?:now|then|need))\b/iu;

/** True for an hour: what runs, what is not done yet, what stands in a list of tasks. */
const BRIEF =
  /\b(?:to-?do(?:s| list)?|task list|dev server|some logging|debug(?:ging)? (?:output|statements?|logs?)|in the background|still (?:there|failing|open|broken|fails)|without (?:any )?(?:errors|warnings|problems)|access to|(?:is|are|am) (?:not able|unable)|something else|my last (?:change|attempt|fix)|no changes were|paste|report back)\b|\bnow (?:complete|running|done|ready|contains?|working on|passing|green|clean)\b|^all (?:\S+ )?(?:tests|checks)\b|^the (?:problem|issue|error|bug) is (?:in|with|here|there|that i)\b|\bi don['’]t have\b/iu;

const CUES: readonly (readonly [CaptureKind, RegExp])[] = [
  [
    'fix',
    /\broot cause\b|\bthe (?:\S+ ){0,3}(?:bug|problem|issue|error|failure|failures|crash|leak|race|deadlock|regression|flake|flakiness|cause|culprit|reason|slowdown)\b[^.?!]{0,60}\b(?:was|is|were|came|comes|happened|happens|occurred|lay)\b|\bcaused by\b|\b(?:was|is) (?:a|an) (?:race|deadlock|leak|regression|typo|off-by-one)\b|\bturn(?:s|ed) out\b|\b(?:fixed|resolved|solved|repaired) (?:by|the|a|an|it|this|in|with)\b|\bthe fix (?:is|was)\b|\b(?:failed|failing|crashed|broke|hung|leaked) because\b|\bwork(?:s|ed) around\b|\bworkaround\b/iu,
  ],
  [
    'decision',
    /\bwe (?:decided|agreed|chose|settled|went with)\b|\b(?:decided|chose|opted) (?:to|on|against|for)\b|\bchose \S+(?: \S+){0,4} over\b|\bdecision:|\bas (?:agreed|decided)\b|\binstead of\b[^.?!]{3,80}\b(?:because|since|so that)\b|\bkept \S+(?: \S+){0,6} because\b/iu,
  ],
  [
    'outcome',
    /^(?:(?:done|summary|result|in short|changes?|all done|finished)[:.!—-]*\s+)?(?:(?:i|we)(?:'ve| have)?(?: now| also| successfully| just)?\s+|successfully\s+|also\s+)?(?:added|implemented|created|refactored|migrated|renamed|removed|replaced|updated|upgraded|moved|switched|configured|deployed|released|merged|introduced|extracted|split|rewrote|documented|enabled|disabled|pinned|reduced|raised|lowered|increased|bumped|converted|ported|dropped|deleted|consolidated|wired|set up|built|shipped|published|rolled (?:back|out)|reverted)\b|\bnow (?:uses?|runs?|returns?|reads?|writes?|supports?|requires?|lives?|takes?|handles?|rejects?|refuses?|starts?|stores?|validates?|retries|fails|passes|works)\b|\b(?:is|are|was|were) (?:now|deployed|released|merged|live|migrated|replaced|renamed|moved)\b/iu,
  ],
  ['fact', /^(?:\W*)(?:note(?: that)?|important|caveat|gotcha|heads[- ]up|keep in mind|remember|lesson|takeaway)\b\s*[:,—-]?/iu],
];

/**
 * What an assistant says that it found out, decided or did, each in the sentence that says so; at most six. What it announces, asks or
 * supposes is none. Linear.
 */
export function outcomesIn(text: string): Statement[] {
  const found: Statement[] = [];
  for (const { text: sentence, paragraph } of sentencesOf(text)) {
    if (found.length >= MOST_SENTENCES) break;
    const words = sentence.split(/\s+/).length;
    if (sentence.length > LONGEST_SENTENCE || words < LEAST_WORDS || PASSING.test(sentence) || BRIEF.test(sentence)) continue;
    const kind = CUES.find(([, cue]) => cue.test(sentence))?.[0];
    if (kind !== undefined) found.push({ kind, text: sentence, paragraph });
  }
  return found;
}
