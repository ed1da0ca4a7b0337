const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words that are not secrets: types, states, statements about passwords, and places where secrets are kept. */
const NO_SECRET = words(`
above after all allowed always any anything array ask auth authentication authorization available basic bearer before below bcrypt bitwarden blank
body bool boolean bytes case change changed changeme changeit char characters cleartext computed config confirm confirmation cookie correct
credential credentials current custom dashlane data default denied dict digest digits disabled docs dummy dynamic email empty enabled encrypted
env environment error example expected expired expires external fake false field fields file foo bar forgotten form from function generated
getter given hashed header headers here hidden incorrect input inherit int integer internal invalid issued keepass keepassxc key keychain
keyring lastpass later leaked letters list login lost mandatory masked masking missing more name never new nil none not null nullable number
numbers oauth object omitted once onepassword only open optional other params pass passcode passphrase passwd password passwords payload
placeholder plain plaintext policy private prompt protected provided public pwd query quoted random readonly redacted removed renamed replaced request
required reset response result revoked rotated rotation rules safe salted same sample saved scrypt secret secrets see sensitive sent session set
setting settings shared short somewhere source static store stored str string strings strong struct symbols tba tbd temporary test text todo top
top token tokens true type unchanged undefined unique unknown unset updated upper usage user username valid value values varchar variable vault
void weak word words wrong your yes
`);
/** Names of algorithms and formats: letters and digits, but not secrets. */
const TECHNICAL = words(`
1password 2fa aes aes128 aes256 argon2 argon2i argon2id base32 base58 base64 base64url ec2 ecdsa ed25519 eddsa es256 es384 hmac hs256 hs384 hs512
http2 http3 iso8601 jwt k8s kms md5 mfa oauth1 oauth2 oauth2client oidc p256 pbkdf2 pkcs1 pkcs12 pkcs8 ps256 rfc rs256 rs384 rs512 rsa rsa2048
rsa4096 s3 saml2 scram sha sha1 sha2 sha224 sha256 sha3 sha384 sha512 ssh tls totp utf utf16 utf8 uuid v1 v2 v3 v4 x25519 x509
`);
/** The location of a value, not the value. */
export const LOCATION = /^(?:~?\.{0,2}\/|[A-Za-z]:\\|[a-z][a-z\d+.-]*:\/\/|(?:arn|vault|ssm|op|env|file|ref|secret|keychain):)/;
/** Durations, sizes, versions and dates. */
export const MEASURE =
  /^(?:\d{1,4}(?:ms|s|sec|seconds?|m|min|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|years?|x|k|kb|mb|bytes?|chars?|characters|bits?)|\d{4}-\d\d.*|[v^~]?\d+(?:\.\d+)+.*)$/i;
const PIECES = /[-_./:+@#\s]+|(?<=[a-z])(?=[A-Z])/;
const PLAIN_PIECE = /^(?:[A-Za-z]+|[A-Za-z]{2,}\d{1,3}|v?\d{1,5}[a-z]{0,2})$/;

/** Whether a token is filler of one or two characters, such as `ghp_xxxxxxxxxxxx`. */
export function isFiller(token: string): boolean {
  const counts = new Map<string, number>();
  for (const char of token) counts.set(char, (counts.get(char) ?? 0) + 1);
  return Math.max(0, ...counts.values()) > 0.6 * token.length || counts.size < 4;
}

/** Whether a value is a placeholder: `<token>`, `${TOKEN}`, `%s`, `your-api-key`, `xxxx`, `[redacted: token]`. */
export function isPlaceholder(value: string): boolean {
  if (/^(?:[<{[(|>&]|\$[{(]|\$[A-Z_][A-Z0-9_]*$|\$env:|%[\w(]|!\w+$|@[a-z]+$|\{\{|__\w+__$)/.test(value)) return true;
  if (/^[*•.xX…_#?-]+$/.test(value) || value.includes('…') || value.includes('...')) return true;
  if (value.length > 5 && new Set(value).size < 3) return true;
  if (/^(?:your|my|our|the|some|an?)[-_ ]/i.test(value) && piecesOf(value).every((piece) => /^[A-Za-z]+$/.test(piece))) return true;
  return piecesOf(value).every((piece) => NO_SECRET.has(piece.toLowerCase()));
}

/** Whether a value consists of words, numbers and format names, as names do. */
export function isWording(value: string): boolean {
  return piecesOf(value).every((piece) => PLAIN_PIECE.test(piece) || TECHNICAL.has(piece.toLowerCase()));
}

/** Whether a value names an algorithm or format, alone or combined: `SCRAM-SHA-256`. */
export function isTechnical(value: string): boolean {
  const pieces = value.split(/[-_./:+@#]+/).filter((piece) => piece !== '');
  return isWording(value) && (TECHNICAL.has(value.toLowerCase()) || pieces.some((piece) => TECHNICAL.has(piece.toLowerCase())));
}

/** Whether a value looks random: long, with letters and digits alternating as in encoded bytes. Names, paths, dates and versions do not. */
export function isRandom(value: string): boolean {
  if (value.length < 16 || isFiller(value) || isWording(value)) return false;
  const groups = value.match(/\d+/g)?.length ?? 0;
  const turns = turnsOf(value) / value.length;
  return /[A-Za-z]/.test(value) && ((groups > 1 && turns >= 0.3) || (groups > 2 && turns >= 0.2));
}

/** Letters only, mixing case more than names do. */
export function isScrambled(value: string): boolean {
  return value.length >= 16 && /^[A-Za-z]+$/.test(value) && turnsOf(value) / value.length >= 0.45;
}

/** Number of switches between lower case, upper case and digits. */
function turnsOf(value: string): number {
  return value.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
}

const piecesOf = (value: string): string[] => value.split(PIECES).filter((piece) => piece !== '');
