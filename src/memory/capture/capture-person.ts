const whole = (...parts: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${parts.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');

/** How to address the person, and who they are: valid in every project. */
const ADDRESSED: readonly RegExp[] = [
  whole(
    '(?:call|address|ask|correct|remind|interrupt) me',
    '(?:answer|reply|respond|speak|talk|write|explain)(?:ing)?(?: things| everything| it)?(?: to| with)? me',
    '(?:show|give|tell) me (?:\\p{L}+ ){0,2}(?:diffs?|short|brief|concise|bullets?|examples?|options|alternatives|summaries|explanations?|steps?|shortcuts)',
    'never tell me|your (?:answers?|replies|responses|explanations|summaries)',
    'my (?:name|pronouns|nickname|time ?zone|native language|mother tongue|editor|keyboard|screen reader) (?:is|are)',
    "i(?:'m| am) (?:colou?r-?blind|dyslexic|left-handed|new to|a beginner|based in)|i work from",
  ),
  whole(
    '(?:antworte|schreib|schreibe|sprich|rede|erklär|erkläre|nenn|nenne|duz|duze|siez|sieze|frag|frage)(?: \\p{L}+){0,1} (?:mir|mich|mit mir)',
    'deine (?:antworten|erklärungen|zusammenfassungen)|mein (?:name|spitzname|editor) ist|meine (?:zeitzone|pronomen|muttersprache)',
  ),
  whole(
    "(?:réponds|parle|écris|explique|appelle|tutoie|vouvoie|demande)-moi|(?:m'appeler|me tutoyer|me vouvoyer|me répondre|m'expliquer)",
    'tes (?:réponses|explications|résumés)|mon (?:prénom|surnom|fuseau horaire|éditeur) est|mes pronoms',
  ),
  whole(
    '(?:respónd|háb|escríb|explíca|lláma|tutéa|pregúnta)\\p{L}{0,3}me|tus (?:respuestas|explicaciones|resúmenes)|mi (?:nombre|apodo|zona horaria|editor) es|mis pronombres',
  ),
  /(?:回答|回复|称呼|叫|问)我(?!们)|[跟和对给]我(?!们).{0,6}(?:说|讲|解释|聊)|我(?:的名字|的时区|是色盲)/u,
  /(?:私|僕|俺)(?:に(?!とって|確認|相談|聞)|には|のこと|への)|(?:私|僕|俺)の(?:名前|タイムゾーン)/u,
];
/** Preferences: personal if they name nothing of a project. */
const LIKED: readonly RegExp[] = [
  whole(
    "i(?: really| generally| strongly| usually| always| also)? (?:prefer|like|love|hate|dislike|enjoy)|i (?:do not|don't|can't) (?:like|want|stand)|i(?:'d| would) rather",
    'i (?:always|usually|mostly|never) (?:use|work|read|write|want|review)',
  ),
  whole('ich (?:mag|bevorzuge|liebe|hasse|hätte lieber|möchte (?:immer|nie)|(?:arbeite|nutze|schreibe|lese) (?:immer|meist|nie))'),
  whole("je (?:préfère|déteste|n'aime pas|travaille toujours|ne veux jamais)|j'(?:aime|adore|utilise toujours)"),
  whole('prefiero|(?:no )?me gustan?|odio|detesto|(?:siempre|nunca) (?:uso|trabajo|quiero)'),
  /(?:^|[，。])我(?!们)(?:更|比较|最|很|不|一直|总是|特别|真|一般|都)*(?:喜欢|偏好|讨厌|习惯)/u,
  /(?:私|僕|俺)は.*(?:好き|嫌い|苦手)/u,
];
/** Words about a project and its team. */
const SHARED: readonly RegExp[] = [
  whole(
    "we|us|our|ours|let's|here|this (?!way|style|kind|tone)\\p{L}+|(?:project|repo|repository|codebase|monorepo|team|customers?|users|tickets?|api|server|release|commit messages?)s?",
  ),
  whole('wir|uns|unser\\p{L}*|hier|dies\\p{L}+|(?:projekt|repo|team|kunden|tabelle|api)'),
  whole('on|nous|notre|nos|ici|ce|cet|cette|(?:projet|dépôt|équipe|clients|table|api)'),
  whole('nosotros|nos|nuestr\\p{L}+|aquí|est[ea]|(?:proyecto|repositorio|equipo|clientes|tabla|api)'),
  /我们|咱们|这里|这个|本项目|项目|仓库|服务|模块|接口|客户/u,
  /この|ここ|私たち|我々|弊社|プロジェクト|リポジトリ|サービス|チーム|テーブル|顧客|API/u,
];
/** References to a specific thing: the preference belongs to the project. */
const DEFINITE: readonly RegExp[] = [
  whole('the|\\p{L}+_\\p{L}+|my (?:branch|key)'),
  whole('der|die|das|dem|den|für'),
  whole('le|la|pour|dans'),
  whole('el|la|para|en'),
  /`|\w\/\w|\w\.\w{2,4}(?!\p{L})/u,
];

const says = (text: string, patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(text));

/**
 * Whether a statement is a personal preference and not about a project. If unclear, it is about the project: personal entries are used in
 * every project.
 */
export function isPersonal(text: string): boolean {
  const said = text.replaceAll('’', "'");
  if (says(said, SHARED)) return false;
  return says(said, ADDRESSED) || (says(said, LIKED) && !says(said, DEFINITE));
}
