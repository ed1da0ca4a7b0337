import { type Claim, inOrder, matchesNearSigns, type TextPart } from './entity-text.ts';

/**
 * Names of errno (POSIX, Linux, Windows sockets) and those of Node.js and npm in the same format. Listed, because words such as `EUR` have
 * that format too.
 */
const ERRNO: ReadonlySet<string> = new Set(
  `
E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADENGINE EBADF EBADMSG EBADPLATFORM EBUSY ECANCELED ECHILD
ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EIDRM EILSEQ EINPROGRESS
EINTEGRITY EINTR EINVAL EIO EISCONN EISDIR EJSONPARSE ELIFECYCLE ELOOP EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENEEDAUTH ENETDOWN
ENETRESET ENETUNREACH ENFILE ENOAUDIT ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOLINK ENOLOCK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSR
ENOSTR ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOTP EOVERFLOW EOWNERDEAD EPERM
EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE EPUBLISHCONFLICT ERANGE ERESOLVE EROFS ESHUTDOWN ESOCKETTIMEDOUT ESPIPE ESRCH ESTALE ETARGET ETIME
ETIMEDOUT ETOOMANYREFS ETXTBSY EUSAGE EWOULDBLOCK EXDEV EAI_AGAIN EAI_FAIL EAI_NONAME
`
    .trim()
    .split(/\s+/),
);
/** TLS error reasons that do not contain `ERR`. */
const TLS_REASONS: ReadonlySet<string> = new Set(
  `
CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED CERT_UNTRUSTED DEPTH_ZERO_SELF_SIGNED_CERT HOSTNAME_MISMATCH SELF_SIGNED_CERT_IN_CHAIN
UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE
`
    .trim()
    .split(/\s+/),
);
const NAMED =
  /^(?:(?:UND_|HPE_|FST_)?ERR_[A-Z0-9_]+|(?:SSL|SEC|NS|MOZILLA_PKIX)_ERROR_[A-Z0-9_]+|SQLITE_(?:BUSY|CANTOPEN|CONSTRAINT|CORRUPT|ERROR|FULL|IOERR|LOCKED|NOTADB|READONLY)(?:_[A-Z0-9]+)*)$/;
/** Codes with a fixed prefix and number of digits, of compilers, databases and services; failing HRESULT and NTSTATUS values. */
const NUMBERED =
  /^(?:TS\d{4,5}|(?:CS|CA|IDE|NU|SC)\d{4}|MSB\d{4}|NETSDK\d{4}|VSTHRD\d{3}|LNK\d{4}|NG0\d{3,4}|PGRST\d{3}|AADSTS\d{5,7}|E0\d{3}|(?:ORA|PLS|TNS)-\d{5}|0X[8C][0-9A-F]{7}|SQLSTATE [0-9A-Z]{5}|HTTP [45]\d\d)$/;

/** Never in an error code. */
const NO_CODE = /[/.@:()]/;

const WRITTEN_HTTP = /(?<![\p{L}\p{N}_])HTTP(?:\/\d(?:\.\d)?)?(?: status| code| error)? ([45]\d\d)(?![\p{L}\p{N}_%]|[.,]\d)/gu;
const WRITTEN_SQLSTATE = /(?<![\p{L}\p{N}_])SQLSTATE(?: |\[|: ?|=)([0-9A-Z]{5})(?![\p{L}\p{N}_])/gu;
/** Prefilter: every code contains one of these. */
const SIGN = /[A-Z][A-Z0-9_]{2}|0x[0-9A-Fa-f]{8}/g;
/** A code is a separate word: `TS2345-fix` and `#ENOENT` are not codes. */
const WRITTEN_CODE = /(?<![\p{L}\p{N}_@#$./])(?:0x[0-9A-Fa-f]{8}|[A-Z][A-Z0-9_]{2,}(?:-\d{5})?)(?![\p{L}\p{N}_(])/gu;

/** Finds error codes as programs print them. */
export function findErrors({ text }: TextPart): readonly Claim[] {
  const claims: Claim[] = [];
  const add = (start: number, written: string, code: string): void => {
    if (isErrorCode(code)) claims.push({ start, end: start + written.length, found: { name: canonicalError(code), kind: 'error' } });
  };
  for (const { 0: written, 1: status, index } of text.includes('HTTP') ? text.matchAll(WRITTEN_HTTP) : [])
    add(index, written, `HTTP ${status}`);
  for (const { 0: written, 1: state, index } of text.includes('SQLSTATE') ? text.matchAll(WRITTEN_SQLSTATE) : [])
    add(index, written, `SQLSTATE ${state}`);
  for (const { 0: written, index } of matchesNearSigns(text, { sign: SIGN, pattern: WRITTEN_CODE })) add(index, written, written);
  return inOrder(claims);
}

/** Whether a name is an error code. Numbered codes and errno match in either case, other names only as written. */
export function isErrorCode(name: string): boolean {
  if (NO_CODE.test(name)) return false;
  const upper = name.toUpperCase();
  return NAMED.test(name) || TLS_REASONS.has(name) || ERRNO.has(upper) || NUMBERED.test(upper);
}

/** The canonical form: capitals, except the `0x` of a number. */
export function canonicalError(code: string): string {
  return code.toUpperCase().replace(/^0X/, '0x');
}
