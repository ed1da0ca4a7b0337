import { anywhere, begins, leads, said, type Speech } from './speech.ts';

const often = '(?:(?:really|strongly|always|usually|generally|only|ever|also|never|all|both|currently|now|just|simply|deliberately|do) )*';
/** Who is meant where people speak of what holds. */
const us =
  '(?:we|i|the team|our team|they|everyone|everybody|management|legal|the (?:\\w+ )?(?:team|folks|people|client|customers?|board))';
/** What a rule is about: many things, not one. */
const many = '(?:all|any|every|each|no|new|our|public|private|both|nobody|everyone|everybody|anything|everything|nothing)';

/** What sentences in English say; `english.ts` has how they say it. */
export const ENGLISH_CONTENT: Pick<Speech, 'lead' | 'cues' | 'plan' | 'findings'> = {
  lead: leads(
    'ok(?:ay)?(?: then)?',
    'hi(?: all| there)?',
    'hey(?: there)?',
    'hello',
    'good morning',
    'moin',
    'morning',
    'thanks(?: a lot)?(?: for [^.!?]{1,60})?',
    'thank you',
    'great',
    'good(?: points?)?',
    'perfect',
    'cool',
    'nice',
    'alright',
    'right',
    'hm+',
    'ugh',
    'oh',
    'ah',
    'well',
    'so',
    'and',
    'but',
    'also',
    'anyway',
    'please',
    'yes',
    'yeah',
    'no(?=,)',
    'nope(?=,)',
    'wait',
    'sorry',
    'sure',
    'done(?=[,!:.])',
    'by the way',
    'btw',
    'fyi',
    'one thing',
    'two things',
    'not quite(?=[.,])',
    "that(?:'s| is) (?:wrong|outdated|not (?:right|true))(?=[.,])",
    'that was wrong(?=[.,:])',
    'looks good',
    'lgtm',
    "it's just me",
    'good news',
    'actually',
    'personally',
    'honestly',
    'first(?=,)',
    'second(?=,)',
    'for anyone asking',
    'i (?:looked it up|checked(?: it| again)?)(?=[,:])',
  ),
  cues: [
    [
      'fix',
      said(
        '(?:turns|turned) out',
        '(?:fixed|solved|resolved) (?:it|the|by|with|that)',
        'fixed it',
        '^solved',
        'the (?:fix|remedy|workaround|root cause|culprit) (?:is|was)',
        '(?:bug|problem|error|issue|crash|leak|failure)\\b[^.!?]{0,60} (?:was|came from|is caused by)',
        'goes away (?:with|when|if|after)',
        'what helped',
        'works again',
        'caused by',
        "(?:wasn't|weren't|didn't|was|were|failed|broke|crashed|kept)[^.!?]{0,80} because",
      ),
    ],
    [
      'decision',
      anywhere(
        '(?<![\\p{L}])(?:was|were|got|has been|have been) (?:rejected|ruled out|turned down|discarded|chosen|picked|selected|approved|abandoned|retired)(?![\\p{L}])',
        '(?<![\\p{L}])(?:ended up (?:choosing|using|going|with|picking)|(?:chose|choosing|picked|prefer(?:red)?) \\S+(?: \\S+){0,3} over)(?![\\p{L}])',
        `(?<![\\p{L}])${us}(?:'ve| have| all| just|'re| are)? ?(?:decided|agreed|settled|settling|chose|chosen|picked|opted|committed to|standardi[sz]ed|went with|go with|going with|stay with|staying with|stick with|sticking with|take option|signed (?:it|this|that) off|moving|moved|switching|switched|migrating|migrated|dropping|dropped|replacing|replaced|stopped|tightened|raised|lowered|gave up|ruled out|made up my mind|made up our minds|bought|adopted|want|wants|need|needs)(?![\\p{L}])(?! (?:to (?:fix|find|see|look|check|know|understand|do|go|talk|think|stop|get)|you|it|this|that|an?|the|what|why|another|my changes)(?![\\p{L}]))`,
        `(?<![\\p{L}])(?:we|i)(?:'ll| will| won't|'re going to| are going to| are not going to|'re not going to|'re not|'m going to) (?:not )?(?:use|support|keep|drop|ship|store|run|stay|go with|expose|stick|take|move|translate|switch|adopt|have|write|build|host|migrate|rely|serve|only|never|cache|pin|send|release|charge|replace|standardi[sz]e|deprecate|remove|rename all)(?![\\p{L}])(?! (?:a look|it|this|that|the tests))`,
        "(?<![\\p{L}])(?:decision(?: is| was| from|:)|it (?:was|is|has been) (?:decided|agreed)|we no longer|we stopped|(?:let's|let us) (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e|drop|keep|adopt|settle|not use|call|move to|store)|from now on|going forward|starting (?:with|from|next)|(?:final|approved|official)(?:ly)?(?: choice| decision)|and that's final|signed (?:it|this|that) off|the reason (?:we|why we|i) (?:don't|do|use|keep|chose)|change of plan|the plan(?: is)?:|i(?:'ve| have)? (?:went|gone) with|i(?:'ve| have)? (?:picked|chosen|chose)|i'm (?:replacing|dropping|switching|moving)|(?:wins|won)(?=[:,.])|is final|(?:is|are|will be) (?:capped|dropped|deprecated|replaced|removed|frozen)|(?:has|have) been (?:dropped|deprecated|replaced|removed)|(?:stays?|remains?) (?!in bed|there)\\S+|only, (?:and )?(?:we|i)|not worth it)(?![\\p{L}])",
      ),
    ],
    [
      'preference',
      anywhere(
        '(?<![\\p{L}])(?:only|solely|exclusively) (?:by|from|through|via|in|on|at|for|with|when|during|at|after|reachable|available|allowed|accessible)(?![\\p{L}])',
        `(?<![\\p{L}])(?:i|we|our \\w+|my \\w+|they|he|she|the \\w+)(?:'d|'m|'re| am| are| would)? ?(?:really |strongly |always |usually |generally |much )*(?:prefers?|likes?|rather|hate|dislikes?|avoid|can't stand|cannot stand|favou?rs?|big fans? of|not (?:a|big) fans? of|allergic to|don't (?:want|like|use|allow|care)|do not (?:want|like|use|allow)|want(?:s)?|love)(?![\\p{L}])(?! (?:it|this|that|these|those|(?:you )?to (?:see|know|do|start|fix|add|run|explain|go)|if|how it)(?![\\p{L}]))`,
        '(?:^|[,;:—-] ?|(?<![\\p{L}])(?:and|but|so|or|please|we|i|must|should|will|to|are|is) )(?:always|never)(?![\\p{L}])(?! (?:mind|get|gets|got|see|saw|seen|ran|had|have|finish|finishes|fails?|returns?|works?|happens?|so |the same))',
        `(?<![\\p{L}])(?:must|should|may|can) (?:always|never|not|only)(?![\\p{L}])|(?<![\\p{L}])${many}(?![\\p{L}])[^.?!]{1,80}(?<![\\p{L}])(?:must|should|needs? to|needs?|has to|have to|gets?|goes|go|requires?|belongs?|starts?|ends?)(?![\\p{L}])|(?<![\\p{L}])(?:must not|must be|mustn't|has to be|have to be|is required|are required|not allowed|is forbidden|are forbidden|is mandatory|are reserved|is reserved)(?![\\p{L}])`,
        "(?<![\\p{L}])(?:(?:our |the |a |house )?(?:rule|convention|policy|style|guideline|habit)(?: here)?(?: is| to|:|\\.)|rule (?:here|since|of thumb)|no (?:emojis?|comments|semicolons|default exports|classes|any types|abbreviations)|please (?:don't|do not|avoid|stick|always|never)|noise down|work(?:s)? best for me|early returns|reads? better|easier to (?:read|review)|helps? me|drives? me (?:mad|crazy)|for me please)(?![\\p{L}])",
      ),
    ],
    [
      'fact',
      anywhere(
        '(?<![\\p{L}])(?:in (?:this|our|the) (?:code ?base|repo(?:sitory)?|project|team|monorepo|company)|came back (?:clean|negative|positive|with)|call(?:s|ed)? (?:it|them) (?!a day))(?![\\p{L}])|^this (?:machine|laptop|box|server|repo(?:sitory)?|project|service|code ?base|module|package|folder|team|company|app) (?:is|has|runs|uses|needs|was)(?![\\p{L}])',
        '(?<![\\p{L}])(?:remember(?: that)?|note(?: that)?|fyi|for the record|keep in mind|heads[- ]up|for (?:your )?(?:reference|context)|by the way|btw|important|be aware|just so you know|in case it)(?![\\p{L}])\\s*[:,]?\\s',
        `(?<![\\p{L}])we(?:'re| are) (?:on|behind|using|based|in (?!a )|all on|still on|not on|a team|two|three|four|five|subject|bound)(?![\\p{L}])|(?<![\\p{L}])we ${often}(?!need to|should|could|can |can't|are |were |was |have (?:a|an|to|just|been) |had |would|might|will|shall|did|do |got|know|see|think|saw|just|still|may|went|hit|look|looked|wait|ran|found|don't know|don't see|ever|'|must)\\p{L}{2,}`,
        "(?<![\\p{L}])we (?:have (?:a|an|our own|no|two|three)|don't|do not|can't|cannot|didn't|hold|must)(?![\\p{L}])(?! (?:know|see|have time|bug|problem|error|issue|conflict))",
        '(?<![\\p{L}])(?:our|my (?:name|team|role|editor|machine|setup|time ?zone|company|customers?|manager|preference|shell|os|laptop|mac|boss))(?![\\p{L}])[^.?!]{1,60}(?<![\\p{L}])(?:is|are|runs?|lives?|uses?|listens?|expires?|points?|comes?|has|have|needs?|requires?|happens?|goes|go|takes?|sits?|starts?|stays?|belongs?|called|named|live|open|follow|keep|speaks?|reads?|overheats)(?![\\p{L}])',
        '(?:^|(?<![\\p{L}])the )(?:[\\w-]+ )?(?:staging|production|prod|database|db|api|server|ci|build|deploy(?:ment)?|release|test|cache|queue|repo(?:sitory)?|docs?|schema|cluster|bucket|domain|certificate|cron|worker|frontend|backend|migration|log|config|api key|token|port|customer|client|team|budget|deadline|launch|account|license|vendor|contract|rate limit|limit|timeout|quota|retention|price|url|endpoint|table|password|branch|owner|maintainer|standard|format|encoding|time ?zone|audit|freeze|demo|ceo|mobile team|simulator|metrics|secret|webhook secret)(?![\\p{L}])[^.?!]{0,60}(?<![\\p{L}])(?:is|are|runs?|lives?|uses?|listens?|expires?|points?|comes?|has|have|needs?|requires?|happens?|goes|takes?|sits?|starts?|stays?|belongs?|live|wants?|has to|rotates?|pulls?|breaks?)(?![\\p{L}])',
        '(?<![\\p{L}])(?:is|are|gets?) (?:owned|maintained|hosted|located|deployed|stored|kept|managed|handled|generated|mounted|rebased|switched off|called|pinned|signed|run|planned|available|committed|skipped|counted|rejected|caught|refreshed|reserved|approved|exempt) ?(?:by|in|on|at|under|from|with|for|off|,|after|\\.)',
        '(?<![\\p{L}])(?:deadline|launch|go-live|release|freeze|beta|demo|audit) (?:is|date|on|has to|must|moved|goes)(?![\\p{L}])',
        "(?<![\\p{L}])(?:owns|own|in charge of|responsible for|takes care of|looks after|reviews|signs off|maintains|on-call|on call|is (?:the )?one who|code owners?|product owner|is called|left the company|(?:are|is) (?:hers|his|mine|ours|theirs)|'s job|goes? to \\p{Lu}\\p{L}+|stands in|i work (?:from|in|at|on)|i'm (?:the only|colou?r-blind|a |an |based|new to|on call)|i am (?:the only|colou?r-blind|a |an |based|new to)|i use|i read|i speak|i live)(?![\\p{L}])",
        "(?<![\\p{L}])(?:to (?:run|start|build|test|deploy|debug|use|reach|connect|log in)[^.!?]{1,60} (?:you need|you have to|use|run|call)|(?:at most|at least|no more than|within|every (?:night|week|month|day|second|third|other)|once a (?:day|week|month)|nightly|weekly|only available|only works|does not work|doesn't work (?:on|in|with|there|for)|expires|ends with|switched off on|has to (?:be|start|be out)|have to be|due (?:on|by)))(?![\\p{L}])",
      ),
    ],
  ],
  plan: anywhere(
    '[?？]\\s*["\'”’)]*$',
    "^(?:let me|let's|i'll|i will|i'm (?:going|now|about)|i am (?:going|now)|i need to|i should|i can(?:'t| not|not)? (?:see|also)|i see|i'd|i could|now,? (?:i|let|we)|next,? (?:i|let|we|step)|first,? (?:i|let|we|you)|then (?:i|we)|looking|checking|running|reading|searching|waiting|starting|working|trying|you're (?:right|welcome|absolutely)|you (?:can|could|should|may)|feel free|would you|do you|please|if (?:you|the)|happy to|here(?:'s| is| are| are the)|to do (?:this|that)|to summari[sz]e|we (?:should|could|need to|can)|todo|the user|in general|there are (?:several|two|three|many|some)|use|poll|git \\w+ (?:replays|is)|the (?:function|test|class|method) (?:takes|fails|returns|is called))(?![\\p{L}])",
    "(?<![\\p{L}])(?:let me know|would you like|want me to|shall i|should i|not sure|might be|may be|could be|probably|perhaps|maybe|i think|i suspect|wasn't able|unable to|seems? (?:to|like)|appears? to|looks? like|next steps?|remaining work|still (?:to do|need)|not yet|to be done|will (?:now|then|need)|as you asked|you asked|sorry|great question|i don't have|i (?:also )?renamed (?:two|three|some|a few)|going to|let's)(?![\\p{L}])",
  ),
  findings: [
    [
      'fix',
      anywhere(
        '(?<![\\p{L}])(?:root cause|culprit|workaround|work(?:s|ed) around|caused by|due to|stem(?:s|med)? from|turn(?:s|ed) out|the fix (?:is|was)|brings? (?:it|the|them) back|solve[sd] (?:it|this|the)|fixe[sd] (?:by|the|a|an|it|this|in|with)|resolve[sd] (?:by|the|a|an|it|this|in|with)|(?:resolves|fixes|corrects|solves) (?:it|this|that)|for good|correct(?:ed|s) (?:the|in|this)|are corrected|is fixed|is solved|is resolved|repaired|tracked down|found it|made the \\S+ go through|goes? away|went away)(?![\\p{L}])',
        '(?<![\\p{L}])the (?:\\S+ ){0,4}(?:bug|problem|issue|errors?|failure|failures|crash|leak|race|deadlock|regression|flake|flakiness|cause|culprit|reason|slowdown|glitch|segfault|hang)(?![\\p{L}])[^.?!]{0,60}(?<![\\p{L}])(?:was|is|were|came|comes|happened|happens|occurred|lay|stem)(?![\\p{L}])(?! (?:in|with|here|there|that i)(?![\\p{L}]))',
        "(?<![\\p{L}])(?:was|is) (?:a|an) (?:race|deadlock|leak|regression|typo|off-by-one)(?![\\p{L}])|(?<![\\p{L}])(?:failed|failing|fails|crashed|broke|hung|leaked|flaky|garbled|stopped working|looked \\S+|washed out|retried|happened|swallowed|skipped|wrong|twice|duplicated|slow|came out|were lost|was lost|disappeared|timed out|stale|leaked|mismatch)(?![\\p{L}])[^.?!]{0,60}(?<![\\p{L}])(?:because|since|when|as|so)(?![\\p{L}])|(?<![\\p{L}])(?:cannot|can't|could not|wasn't)(?![\\p{L}])[^.?!]{1,60}(?<![\\p{L}])(?:therefore|so|hence)(?![\\p{L}])",
        "^(?!i |i'|we |you |it |this |there |that )[^?!]{3,100} (?:could(?:n't| not)|ran out of|came from|had no|exceeded|was never|were never)(?![\\p{L}])(?![^?!]* yet)",
        '^(?:\\*\\*)?(?:fix|cause|root cause|solution|reason)(?:\\*\\*)?:',
      ),
    ],
    [
      'decision',
      anywhere(
        '(?<![\\p{L}])we (?:decided|agreed|chose|settled|went with)(?![\\p{L}])|(?<![\\p{L}])(?:decided|chose|opted) (?:to|on|against|for)(?![\\p{L}])|(?<![\\p{L}])chose \\S+(?: \\S+){0,4} over(?![\\p{L}])|(?<![\\p{L}])decision:|(?<![\\p{L}])as (?:agreed|decided)(?![\\p{L}])|(?<![\\p{L}])instead of(?![\\p{L}])[^.?!]{3,80}(?<![\\p{L}])(?:because|since|so that)(?![\\p{L}])|(?<![\\p{L}])kept \\S+(?: \\S+){0,6} because(?![\\p{L}])',
      ),
    ],
    [
      'outcome',
      anywhere(
        '(?<![\\p{L}])(?:benchmark(?:ed|s)?|measured|measurements?|profil(?:ed|ing)|load test|soak test|compar(?:ed|ing)|evaluat(?:ed|ion)|saturates?|bottleneck|cold start|p9[059]|throughput|latency|accuracy|recall|precision|f1)(?![\\p{L}])[^.?!]{0,160}\\d|\\d[^.?!]{0,160}(?<![\\p{L}])(?:benchmark|measured|in the (?:load|soak) test|faster|slower|smaller|larger)(?![\\p{L}])|(?<![\\p{L}])(?:cut|brought|reduced?|dropp?(?:ed)?|went|down|takes? it)(?![\\p{L}])[^.?!]{0,80}(?<![\\p{L}])from (?:\\S+ )?\\d[^.?!]{0,40} to (?:\\S+ )?\\d|(?<![\\p{L}])none of the (?:\\S+ ){0,3}\\S+ (?:has|have|is|are|uses?)(?![\\p{L}])',
        "^(?:(?:done|summary|result|in short|changes?|all done|finished)[:.!—-]*\\s+)?(?:(?:i|we)(?:'ve| have)?(?: now| also| successfully| just)?\\s+|successfully\\s+|also\\s+)?(?:added|implemented|created|refactored|migrated|renamed|removed|replaced|updated|upgraded|moved|switched|configured|deployed|released|merged|introduced|extracted|split|rewrote|documented|enabled|disabled|pinned|reduced|raised|lowered|increased|bumped|converted|ported|dropped|deleted|consolidated|wired|set up|built|shipped|published|rolled (?:back|out)|reverted)(?![\\p{L}])|(?<![\\p{L}])now (?:uses?|runs?|returns?|reads?|writes?|supports?|requires?|lives?|takes?|handles?|rejects?|refuses?|starts?|stores?|validates?|retries|fails|passes|works|calls?)(?![\\p{L}])|(?<![\\p{L}])(?:is|are|was|were) (?:now|deployed|released|merged|live|migrated|replaced|renamed|moved)(?![\\p{L}])",
      ),
    ],
    ['fact', begins('note(?: that)?', 'important', 'caveat', 'gotcha', 'heads[- ]up', 'keep in mind', 'remember', 'lesson', 'takeaway')],
  ],
};
