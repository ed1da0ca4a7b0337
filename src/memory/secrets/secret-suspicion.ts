import { CODE_NAME, EDGE, PASSWORD, SIGNS } from './secret-words.ts';
import { isRandom, isTechnical, MEASURE, PLACE } from './secret-values.ts';

const WORD = /[\p{L}\p{N}][^\s"'`“”„«»()<>]{6,}/gu;
const END = /[.,;:!?]+$/;
/** Letters and some digits, or a sign between, as people make up passwords. */
const MADE_UP = /^(?=.*\p{L})(?:(?=.*\d\d)|(?=.*\d)(?=.*[!$%&*]))(?!.*[/()[\]{}@])/u;
/** The passage itself speaks of a password: one digit is enough, or words that are joined. */
const OF_PASSWORD = new RegExp(`(?:${PASSWORD})(?![\\p{L}])`, 'iu');
const JOINED = /^(?=.*\p{L})(?:(?=.*\d)|(?=.*[!$%&*])|\p{L}+(?:[-_.]\p{L}+){2,}$)(?!.*[/()[\]{}@])/u;
/** Capitals and digits without a word in them. */
const CAPITALS = /(?=(?:\d*[A-Z]){5})(?=[A-Z]*\d)[A-Z\d]{10,}/;
/** As bytes are written in letters. */
const ENCODED = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*\+)[\w+/]{16,}={0,2}$/;
/** A number that opens something. */
const CODE = new RegExp(
  `(?:${EDGE}(?:${CODE_NAME}|(?:one[- ]time |login |sms )?code|otp|2fa)|验证码|認証コード|确认码)[^\\n]{0,40}?(?<!\\d)\\d[\\d ]{2,9}\\d(?!\\d)`,
  'iu',
);
/** A file, a host, a version, a name of code in capitals. */
const NAME = /\.[a-z]{2,5}$|^v?\d+(?:\.\d+)+|^[A-Z][A-Z\d]*(?:[-_][A-Z\d]+)+$|^[a-z]+(?:_[a-z\d]+)+$|^\d/;

/**
 * Whether a passage may hold something that lets someone in, although nothing says so plainly: a made-up word where the talk is of a key or password, or
 * one of chance anywhere. Errs on the safe side, for what nobody chose to save.
 */
export function mayHoldSecret(passage: string, said: string): boolean {
  const isAbout = SIGNS.test(said);
  if (isAbout && CODE.test(passage)) return true;
  const looks = OF_PASSWORD.test(passage) ? JOINED : MADE_UP;
  return (passage.match(WORD) ?? []).some((written) => {
    const word = written.replace(END, '');
    if (PLACE.test(word) || MEASURE.test(word) || isTechnical(word)) return false;
    return (
      (isAbout && looks.test(word) && !NAME.test(word)) ||
      ENCODED.test(word) ||
      CAPITALS.test(word) ||
      (isRandom(word) && /[A-Z]/.test(word) && !word.includes('/'))
    );
  });
}
