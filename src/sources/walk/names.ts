/** Decides by name which files are skipped. */

export type NameReason = 'secret' | 'lockfile' | 'generated' | 'binary';

const LOCKFILES = new Set([
  'npm-shrinkwrap.json',
  'package-lock.json',
  'packages.lock.json',
  'pnpm-lock.yaml',
  'bun.lockb',
  'go.sum',
  'package.resolved',
  '.terraform.lock.hcl',
]);
const LOCK_ENDING = /\.(?:lock|lockfile)$/;

const GENERATED =
  /\.(?:min|bundle|chunk)\.(?:js|mjs|cjs|css)$|\.(?:map|snap|pb\.(?:go|cc|h)|g\.dart|freezed\.dart|designer\.cs|g\.cs)$|_pb2(?:_grpc)?\.pyi?$|[._-]generated\.\w+$/;

/** Names of files with keys, tokens or passwords in any project. */
const SECRET_NAMES = new Set([
  '.envrc',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.git-credentials',
  '.dockercfg',
  '.vault-token',
  '.s3cfg',
  '.boto',
  'kubeconfig',
  'terraform.tfstate',
  'terraform.tfstate.backup',
  'master.key',
  'credentials',
  'secrets',
  'token',
]);
const ENV_FILE = /^\.env(?:\..+)?$|\.env$/;
/** Sample files, which contain no secrets. */
const SAMPLE = /[._-](?:example|sample|template|dist|defaults?|schema)(?:\.\w+)?$/;
const KEY_FILE = /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|gpg|pgp|asc|pkcs\d*|keytab|ovpn|age|token|secrets?|tfvars(?:\.json)?)$/;
const SSH_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/;
/** Data files, not code that handles secrets. */
const SECRET_DATA =
  /^(?:.*[._-])?(?:credentials?|secrets?|passwords?|service[._-]?account(?:[._-].*)?|client[._-]secret.*)(?:\.(?:json|ya?ml|toml|ini|cfg|conf|txt|properties|xml|csv|enc|plist))$/;
const SECRET_FOLDER = /(?:^|\/)\.(?:ssh|aws|gnupg|kube|docker|azure|gcloud)\//;

const BINARY = new Set(
  (
    'png jpg jpeg gif webp avif bmp ico icns tif tiff psd heic mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg opus woff woff2 ttf otf eot ' +
    'zip gz tgz bz2 xz zst 7z rar tar jar war ear apk aab ipa dmg iso deb rpm msi exe dll so dylib a o obj lib class pyc pyo wasm node bin dat ' +
    'db sqlite sqlite3 parquet arrow feather lance avro orc npy npz pkl pt pth onnx safetensors gguf h5 pdf doc docx xls xlsx ppt pptx odt ods'
  ).split(' '),
);

/** Why a file is skipped by its path relative to the root (with `/`); undefined if its content decides. */
export function nameReason(path: string): NameReason | undefined {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (isSecretName(lower, name)) return 'secret';
  if (LOCKFILES.has(name) || LOCK_ENDING.test(name)) return 'lockfile';
  if (BINARY.has(name.slice(name.lastIndexOf('.') + 1)) && name.lastIndexOf('.') > 0) return 'binary';
  return GENERATED.test(name) ? 'generated' : undefined;
}

function isSecretName(path: string, name: string): boolean {
  if (SECRET_NAMES.has(name) || SECRET_FOLDER.test(path)) return true;
  if (SSH_KEY.test(name)) return !name.endsWith('.pub');
  const holdsSecrets = ENV_FILE.test(name) || KEY_FILE.test(name) || SECRET_DATA.test(name);
  return holdsSecrets && !SAMPLE.test(name);
}
