import { CODE_NAME, EDGE, PASSWORD, SIGNS } from './secret-words.ts';
import { isRandom, isTechnical, MEASURE, LOCATION } from './secret-values.ts';

const WORD = /[\p{L}\p{N}][^\s"'`“”„«»()<>]{6,}/gu;
const END = /[.,;:!?]+$/;
/** Letters with two digits, or with a digit and a sign: typical of passwords. */
const MADE_UP = /^(?=.*\p{L})(?:(?=.*\d\d)|(?=.*\d)(?=.*[!$%&*]))(?!.*[/()[\]{}@])/u;
/** The passage itself mentions a password: one digit or joined words suffice. */
const OF_PASSWORD = new RegExp(`(?:${PASSWORD})(?![\\p{L}])`, 'iu');
const JOINED = /^(?=.*\p{L})(?:(?=.*\d)|(?=.*[!$%&*])|\p{L}+(?:[-_.]\p{L}+){2,}$)(?!.*[/()[\]{}@])/u;
/** Capitals and digits without a word. */
const CAPITALS = /(?=(?:\d*[A-Z]){5})(?=[A-Z]*\d)[A-Z\d]{10,}/;
/** Base64-like encoded bytes. */
const ENCODED = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*\+)[\w+/]{16,}={0,2}$/;
/** A numeric access code. */
const CODE = new RegExp(
  `(?:${EDGE}(?:${CODE_NAME}|(?:one[- ]time |login |sms )?code|otp|2fa)|验证码|認証コード|确认码)[^\\n]{0,40}?(?<!\\d)\\d[\\d ]{2,9}\\d(?!\\d)`,
  'iu',
);
/** A file, host or version, or a code name in capitals. */
const NAME = /\.[a-z]{2,5}$|^v?\d+(?:\.\d+)+|^[A-Z][A-Z\d]*(?:[-_][A-Z\d]+)+$|^[a-z]+(?:_[a-z\d]+)+$|^\d/;

/**
 * Whether a passage may contain a secret that `findSecrets` does not recognize: a password-like word where `said` mentions a key or
 * password, or a random value anywhere. Prefers false positives; for automatic capture.
 */
export function mayContainSecret(passage: string, said: string): boolean {
  const isAbout = SIGNS.test(said);
  if (isAbout && CODE.test(passage)) return true;
  const looks = OF_PASSWORD.test(passage) ? JOINED : MADE_UP;
  return (passage.match(WORD) ?? []).some((written) => {
    const word = written.replace(END, '');
    if (LOCATION.test(word) || MEASURE.test(word) || isTechnical(word)) return false;
    return (
      (isAbout && looks.test(word) && !NAME.test(word)) ||
      ENCODED.test(word) ||
      CAPITALS.test(word) ||
      (isRandom(word) && /[A-Z]/.test(word) && !word.includes('/'))
    );
  });
}
