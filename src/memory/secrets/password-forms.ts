import { ASIDE, CODE_NAME, CONNECTIVE, COPULA, DESCRIPTION, EDGE, LOGIN, PASSWORD } from './secret-words.ts';

/** A sign or word for "is". Chinese, Japanese and Korean need no blanks around it. */
const SAYS = String.raw`(?:\s{0,2}(?:[:：=]|[—–-](?=\s))\s{0,2}|\s{0,2}[是为為は는은]\s{0,2}|\s{1,2}(?:${COPULA})${ASIDE}\s{1,2})`;
const BESIDE = String.raw`(?:${SAYS}|\s{1,2})`;
const ARTICLE = String.raw`(?:(?:the|a|my|our|das|dem|der|ein|mein|le|la|el|il|o|a|het|свой)\s|l['’])?`;
/** A user name or address. */
const USER = String.raw`["'“‘„«]?([\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63})["'”’“»]?`;

/** `The password for the wiki is …`, `das Passwort lautet …`, `密码是…`. */
const TOLD = `(?:${PASSWORD})${DESCRIPTION}${SAYS}`;
/** `the password is swordfish`: in English, where a plain word can be the password. */
const WORD = `${EDGE}(?:password|passcode|pwd|pw)${DESCRIPTION}\\s(?:is|was)\\s`;
/** `use the password …`, `пароль …`: the value follows directly. */
const NEXT = `(?:${PASSWORD})\\s{1,2}`;
/** `log in as admin, pass …`, `user: bob / pw …`, `el usuario es x y la contraseña …`. */
const PAIR =
  `${EDGE}(?:${LOGIN})\\s{0,2}(?:[:：=是は]|${CONNECTIVE})\\s{0,2}${ARTICLE}(?:user(?:name)?\\s|benutzer\\s|usuario\\s)?${USER}` +
  `\\s{0,2}(?:[^\\p{L}\\p{N}\\s]?\\s{0,2})(?:(?:and|und|et|y|e|и|en|i|och)\\s)?(?:${CONNECTIVE})?${ARTICLE}(?:${PASSWORD}|${EDGE}pass)${BESIDE}`;
/** A login with other words between user and password, in any order. */
const LOGIN_LINE = `${EDGE}(?:${LOGIN})(?![\\p{L}\\p{N}_])(?:[^\\n.!?]|[.!?](?=\\S)){1,80}?(?:${PASSWORD}|${EDGE}pass)${BESIDE}`;
/**
 * User and password with a slash, or the user before the login word: `admin でログイン、パスワードは…`, `credentials: admin / …`, `use admin/… to log
 * in`.
 */
const SLASHED = `(?:${EDGE}(?<!/)(?:${LOGIN}|credentials?|creds|zugangsdaten|anmeldedaten|identifiants|credenciales|credenciais|credenziali|доступ|账号|帳號)(?:\\s{0,2}[:：=]\\s{0,2}|${DESCRIPTION}\\s(?:${COPULA})\\s)|${EDGE}(?:use|with|mit|avec|con|com)\\s(?=(?:admin|root|user|test|demo|guest|\\S{1,64}@)\\S{0,64}/\\S{4,64}\\s(?:to|for|um|pour|para|per)\\s))${USER}\\s{0,2}[/|:]\\s{0,2}`;
/** `wifi is quarry / pass: …`. */
const NETWORK = `${EDGE}(?:wi-?fi|wlan|ssid)(?![\\p{L}\\p{N}])[^\\n]{1,60}?[\\s/,;](?:${PASSWORD}|pass)\\s{0,2}[:=]\\s{0,2}`;
/** `the itch key for uploads is …`: a key without a known format. */
const KEY = `${EDGE}(?:keys?|tokens?|secrets?|schlüssel|clés?|jetons?|claves?)${DESCRIPTION}\\s{1,2}(?:${COPULA})${ASIDE}\\s{1,2}`;
/** `the PIN is 4711`, `unlock code: 845120`. */
const CODE = `${EDGE}(?:${CODE_NAME})${DESCRIPTION}${SAYS}(?:le |la |el |der |die )?(?=["'“]?\\d{4,10}[A-Z]?(?!\\p{N}|[\\p{L}_]|[.,:/-]\\p{N}| \\p{L}))`;
/** A passphrase of words, to the end of the line or sentence. */
const PHRASE = `${EDGE}pass ?phrase${DESCRIPTION}${SAYS}(?=\\p{Ll}{3,}(?: \\p{Ll}{3,}){2,8}(?:[.,;!]|\\s*$|\\s*\\n))`;

/** The same after a word for a password: a plain sentence may follow it too, so only words that begin none. */
const WORDS = `${EDGE}(?:password|passcode|pwd|pw|passwort|kennwort)${DESCRIPTION}\\s(?:is|was|ist|war|lautet)${ASIDE}\\s(?=\\p{Ll}{3,}(?: \\p{Ll}{3,}){2,8}(?:[.,;!]|\\s*$|\\s*\\n))`;
/** `wifi upstairs is guest / …`: a network and its password. */
const SLASHED_NETWORK = `${EDGE}(?:wi-?fi|wlan|ssid)(?: (?:name|network|login|upstairs|downstairs|here))?${DESCRIPTION}${SAYS}${USER}\\s{1,2}/\\s{1,2}(?=\\p{L})`;

/** `the root pw changed, now it's …`, `the password? …`. */
const LATER = `(?:${PASSWORD})(?:[^\\n.!?]{0,40}?[,;:–—-]\\s{1,2}(?:and |but |und |et |y )?(?:now |jetzt )?(?:it[’']?s|it is|that[’']?s|es ist|ist jetzt|jetzt ist es|c[’']est|es ahora)|\\?)\\s{1,2}`;
/** `use … as the password`: the value comes first. */
const BEFORE = `${EDGE}(?:use|used|using|set|take|took|put|nimm|nehmt|nutze|setz|mis|mets|utilise|usa|usad|pon|puse)\\s{1,2}(?=["'“‘\`]?\\S{5,64}\\s{1,2}(?:as|als|comme|como|come)\\s${ARTICLE}(?:\\p{L}{1,20}\\s)?(?:${PASSWORD})(?![\\p{L}\\p{N}_-])(?!\\s(?:hash|field|polic|manager)))`;
/** `changed the password of the archive to …`, `das Passwort hab ich auf … geändert`, `パスワードを…に変えました`. */
const CHANGED = `(?:${EDGE}(?:chang|updat|rotat|reset|set|switch|cambi|modifi|chang[ée])\\p{L}{0,6}\\s(?:\\p{L}{1,12}\\s){0,3}(?:${PASSWORD})${DESCRIPTION}\\s(?:to|a|à)\\s{1,2}|(?:passwort|kennwort)(?:\\s\\p{L}{1,12}){0,4}\\sauf\\s{1,2}(?=\\S{5,64}\\s(?:ge(?:ändert|setzt|stellt)|umge\\p{L}+|gewechselt))|(?:密[码碼]|口令)(?:还是|還是|改成|改为|改為|换成|換成|变成)[^\\s\\x21-\\x7e，。]{0,4}\\s{0,2}|パスワードを\\s{0,2}(?=[\\x21-\\x7e]{5,64}\\s{0,2}に))`;
/** `db creds postgres / …`. */
const CREDS = `${EDGE}(?:credentials?|creds|zugangsdaten|anmeldedaten|identifiants|credenciales)\\s{1,2}${USER}\\s{1,2}/\\s{1,2}(?=\\p{L})`;
/** `basic auth is team:…`, `get in with deploy / …`, `it's admin:…`. */
const LET_IN = `(?:${EDGE}(?:basic[ -]auth(?:entication)?|get in|einloggen|reinkommen)\\s(?:is|with|using|mit|as)\\s${USER}|${EDGE}(?:it[’']?s|is|use|with|mit)\\s(?:admin|root|postgres|guest|sa))(?::|\\s{1,2}/\\s{1,2})(?=\\p{L})`;
/** `ssh into 10.0.0.5 as pi with …`. */
const AS_WITH = `${EDGE}(?:ssh|log ?in|logs? in|sign in)\\s[^\\n!?]{1,60}?\\s(?:as|als)\\s${USER}\\s(?:with|mit|and|und)\\s{1,2}`;
/** `pass: …`, `secret key = …`. */
const ASSIGNED = `(?:(?<=^|[\\n,;/(]\\s?)pass|${EDGE}(?:secret|shared|master|encryption) (?:key|secret))\\s{0,2}[:=]\\s{0,2}`;
/** `the guest network key is …`, `la clé du wifi c'est …`. */
const NETWORK_KEY = `(?:${EDGE}(?:wi-?fi|wlan|network|hotspot)[ -](?:key|code|schlüssel)|${EDGE}(?:key|code|schlüssel|clé|clef|clave|código)\\s(?:for|of|to|du|de|del|fürs?|vom)\\s(?:the |la |le |el |das )?(?:guest )?(?:wi-?fi|wlan|network|hotspot|réseau|red))${DESCRIPTION}(?:${SAYS}|\\s{1,2}c[’']est\\s{1,2})`;
/** `backup code 8841-2093`, `OTP seed: …`. */
const BACKUP_CODE = `${EDGE}(?:backup|recovery|rescue|two-factor|2fa|one-time)[ -](?:backup |recovery )?codes?(?:${SAYS}|\\s{1,2})(?=\\d{3,8}(?:[- ]\\d{3,8}){0,3}(?![\\p{L}\\p{N}]))|${EDGE}(?:t?otp|2fa|mfa|authenticator)[ -](?:seed|secret|key)${SAYS}(?=[a-z2-7]{16,64}(?![\\p{L}\\p{N}]))`;
/** `the password is Otter Lake 221`. */
const CAPITALS = `${EDGE}(?:password|passcode|pwd|pw|passwort|kennwort)${DESCRIPTION}\\s(?:is|was|ist|lautet)${ASIDE}\\s(?=\\p{Lu})`;

export type Evidence = 'key' | 'told' | 'word' | 'beside' | 'pair' | 'code' | 'phrase' | 'words' | 'capitals';
/** Prefilters of forms that need no word for a password. */
const NETWORK_SIGNS = /wi-?fi|wlan|ssid|hotspot|network|réseau/i;
const LOGIN_SIGNS = /basic.auth|get in|einlog|reinkomm|ssh |log ?in|sign in|(?:admin|root|postgres|guest|sa)[:/ ]/i;
const CODE_SIGNS = /code|código|codice|пин|\bpin\b|otp|2fa|mfa|authenticator/i;

/** The forms, each with its prefilter; those without one need `SIGNS`. */
export const FORMS: readonly (readonly [Evidence, form: string, sign?: RegExp])[] = [
  ['told', TOLD],
  ['word', WORD],
  ['beside', NEXT],
  ['pair', PAIR],
  ['beside', LOGIN_LINE],
  ['beside', NETWORK],
  ['beside', SLASHED],
  ['code', CODE, CODE_SIGNS],
  ['key', KEY],
  ['phrase', PHRASE],
  ['words', WORDS],
  ['beside', SLASHED_NETWORK, NETWORK_SIGNS],
  ['beside', LATER],
  ['beside', BEFORE],
  ['beside', CHANGED],
  ['beside', CREDS],
  ['beside', LET_IN, LOGIN_SIGNS],
  ['beside', AS_WITH, LOGIN_SIGNS],
  ['beside', ASSIGNED],
  ['beside', NETWORK_KEY, NETWORK_SIGNS],
  ['code', BACKUP_CODE, CODE_SIGNS],
  ['capitals', CAPITALS],
];
