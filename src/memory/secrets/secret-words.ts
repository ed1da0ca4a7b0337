/** Words for a password in the supported languages. */
const SPACED = [
  'pass ?(?:word|wd|phrase|code)s?',
  'pwd|pw',
  'passwort(?:e?s)?|kennwort(?:e?s)?',
  'mots? de passe|mdp',
  'contrase[ñn]as?|clave(?: de acceso| secreta)?',
  'senhas?|palavra-passe',
  "parola d[’']ordine",
  'парол(?:ь|ем|я|ю)',
  'wachtwoord',
  'hasł(?:o|em)',
  'şifre(?:si|niz)?',
  'lösenord(?:et)?|passord(?:et)?|adgangskoden?',
  'hesl(?:o|em)',
].join('|');
/** Words in scripts without blanks, which match inside a sentence. */
const UNSPACED = '密[码碼]|口令|パスワード|暗証番号|비밀번호';
export const EDGE = String.raw`(?<![\p{L}\p{N}_-])`;
export const PASSWORD = `${EDGE}(?:${SPACED})|${UNSPACED}`;

/** Names of numeric access codes. */
export const CODE_NAME = [
  '(?:(?:bank|card|sim|phone|safe|alarm) )?PIN(?:[ -](?:code|number|Nummer))?',
  '(?:unlock|access|door|alarm|security|safe|entry|gate|screen lock|recovery)[ -]?code',
  '(?:zugangs|tür|haustür|sicherheits|entsperr)[- ]?code',
  "code (?:d['’](?:accès|entrée)|de la porte|pin)|código de (?:acceso|la puerta)|codice di accesso",
  'пин-?код',
].join('|');

/** The owner or purpose, between name and value: `for the test account`, `(staging)`. */
export const DESCRIPTION = String.raw`(?:\s\([^()\n]{1,40}\)|\s(?:for|of|on|to|in|at|fürs?|im|beim|von|vom|zu|zum|zur|der|des|auf|de|du|del|della|di|do|da|pour|para|per|от|к|для|на|voor|van|til|för|till|dla|do)(?=\s)(?:\s(?!(?:is|was|ist|est|es)\s)[\p{L}\p{N}@._'’/-]{1,32}){1,5}?)?`;

/** Words for "is" and "has become". */
export const COPULA =
  'is|was|are|ist|war|lautet|heißt|heisst|est|es|é|era|è|это|to|je|jest|är|er|(?:(?:is|was|has been) )?(?:set|changed|reset) to|is now|is still|reads|=>';

/** Filler between "is" and the value: `is by the way …`, `ist übrigens …`. */
export const ASIDE =
  '(?:,?\\s(?:by the way|btw|actually|now|still|currently|just|simply|again|apparently|übrigens|jetzt|nun|noch|immer noch|aktuell|einfach|seit heute|ab heute' +
  "|maintenant|toujours|actuellement|d[’']ailleurs|ahora|todavía|por cierto|actualmente|ya|теперь|agora|atualmente|adesso|ora|attualmente),?){0,2}";

/** Words for logging in, near a user name and a password. */
export const LOGIN = [
  'log(?:ging|ged|s)?[ -]?(?:in|on)(?:to)?|logins?|logon|sign(?:ing|ed|s)?[ -]?(?:in|on)|signin|ssh(?: in)?(?:to)? ?[\\w.-]{0,40}|authenticate|connect',
  'einloggen|anmelden|anmeldung|melde (?:dich|sich)|logge? (?:dich|mich)',
  'connecte[sz]?(?:-toi|-vous)?|connexion|identifiant|utilisateur',
  'inici[ae]r? sesi[oó]n|usuario|usuário|entre|entrar|accedi|accedere|utente',
  'логин|зайди|зайти|войди|войти|пользователь',
  'wi-?fi|wlan|ssid|hotspot',
  'user(?:name)?|user name|benutzer(?:name)?|gebruiker|użytkownik|account',
  '用户名?|登录|登入|使用者|ユーザー名?|ログイン|사용자|아이디|로그인',
].join('|');

/** Words between a login word and the user name. */
export const CONNECTIVE = String.raw`(?:as|with|using|by|is|are|als|mit|ist|en tant que|avec|est|como|com|con|es|é|come|è|как|с|met|som|med)\s`;

/** Prefilter: a text without any of these contains no password sentence. */
export const SIGNS = new RegExp(
  `pass|pwd|keys?\\b|token|secret|schlüssel|clé|jeton|\\bpw\\b|kennwort|mdp|contrase|clave|senha|parola|парол|wachtwoord|has[łl]|[şs]ifre|lösenord|adgangskode|hesl|密|口令|パス|暗証|비밀|\\bPIN\\b|[ -]code|code d|пин|login|credential|creds|zugangsdaten|anmeldedaten|identifiants|cred[ei]n|доступ|账号|帳號|logg?e?|логин|登|ログイン|로그인`,
  'iu',
);

/** Words after a password word or instead of a user name that are neither password nor name. */
export const NO_PASSWORD: ReadonlySet<string> = new Set(
  (
    'a about access account accounts again against alone also always an and as at authentication based be because before both but by can change changes ' +
    'check checks combination complexity control controls correct could credentials database did dialog do does each either email e-mail else enters ' +
    'elsewhere somewhere anywhere overdue yours theirs nonsense garbage rubbish unsafe unused unset unclear enough expires expiry field fields first flow for forgotten form from generator gone grant grants handling has hash hashed hashes hashing have he her here his history hint ' +
    'how if in input instead into is it its itself just key leaks length lengths level like list lists lock login logins lost mail manager managers may me ' +
    'mfa more must my name names never next no nor not now of off on once one only or our out over page pages parameter parameters per phrase plus policies policy ' +
    'prompt prompts protected protection question quickly recovery requirements requires reset resets review role rotation rule rules same screen sent set ' +
    'should shown so some sso state stays step store stored strength string support tests test that the their them then there these they this those ' +
    'inside outside behind under printed written kept safe here there written through to together token tokens too under unless until update updates us use used user username users using validation validator via was we were what ' +
    'when where whether which while who whose will with within without work works would wrong you your yourself ' +
    'das der dem den des die ein eine einen einer ist im nicht oder und vom von wird zurücksetzen ändern vergessen falsch feld länge ' +
    'le la les un une des du et ou est pas oublié el los las una y o no es olvidada de il lo gli e non da do da dos em não é и или не в на для с от это'
  ).split(' '),
);

/** Words of a sentence about a password: how long it is, of what it consists, who knows it. */
export const ABOUT_PASSWORD: ReadonlySet<string> = new Set(
  (
    'character characters char chars letter letters digit digits number numbers symbol symbols word words sign signs text plain minimum maximum least ' +
    'long longer short shorter strong stronger weak weaker old older new newer hard harder easy easier simple random case lower upper mixed empty blank ' +
    'whatever something anything nothing everything someone everyone anyone nobody people person team teams staff admins customers clients ' +
    'every single day days week weeks month months year years minute minutes hour hours daily weekly monthly twice times time today tomorrow yesterday ' +
    'wrong right valid invalid bad good fine okay public common known unknown personal default temporary initial much very still even really pretty quite rather ' +
    'zeichen buchstaben ziffern wörter mindestens höchstens lang länger kurz kürzer immer nie nur noch schon sehr jede jeden jeder jedes alle allen tage tagen ' +
    'wochen monate monaten jahre gleich neu alt falsch leer irgendwas etwas nichts jemand niemand'
  ).split(' '),
);
