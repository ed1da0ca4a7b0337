import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets, redact, redactPart, SECRET_KINDS, type SecretKind } from '../../../src/memory/secrets/redaction.ts';
import { splitPassages } from '../../../src/memory/words/passages.ts';
import { FREE_CODE, FREE_SENTENCES } from './free-samples.ts';
import { SAID } from './said-samples.ts';
import { capitals, hex, KEYS, LETTERS, made, word, type Sample } from './samples.ts';

const MEMORIES = readFileSync(new URL('../../eval/data/memories.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { content: string }).content);

const PEM_LINES = Array.from({ length: 6 }, (_, nth) => word(64, nth + 1)).join('\n');
const pem = (kind: string): string => `-----BEGIN ${kind}-----\n${PEM_LINES}\n${word(20)}==\n-----END ${kind}-----`;
const JWT = `eyJ${word(20)}.eyJ${word(60)}.${word(43)}`;
const UUID = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3, 5)}-${hex(12)}`;

/** What is read, the secret in it, its kind. */
type Held = readonly [text: string, secret: string, kind: SecretKind];
const around = (kind: SecretKind, secret: string, before = '', after = ''): Held => [`${before}${secret}${after}`, secret, kind];

const HELD: readonly Held[] = [
  around('aws-key', `AKIA${capitals(16)}`, 'The bucket is read with ', '.'),
  around('aws-key', `ASIA${capitals(16)}`, 'aws_access_key_id = ', '\n'),
  around('github-token', `ghp_${word(36)}`, 'git clone with ', ' once'),
  around('github-token', `gho_${word(36)}`, 'GH_TOKEN=', '\nmake'),
  around('github-token', `ghs_${word(36)}`, '{"token":"', '"}'),
  around('github-token', `github_pat_${word(22)}_${word(59)}`, 'use ', ''),
  around('github-token', `ghp_${word(36)}`, 'quoted twice: "a\\n', '\\n"'),
  around('gitlab-token', `glpat-${word(20)}`, 'PRIVATE-TOKEN: ', ''),
  around('gitlab-token', `glrt-${word(24)}`, 'runner registered with ', ' today'),
  around('slack-token', `xoxb-${made(12, '0123456789')}-${made(13, '0123456789')}-${word(24)}`, 'bot: '),
  around('slack-token', `xoxp-${made(12, '0123456789')}-${word(30)}`),
  around('slack-token', `xapp-1-A0${capitals(9)}-${made(13, '0123456789')}-${hex(64)}`),
  around('slack-token', `services/T0${capitals(9)}/B0${capitals(9)}/${word(24)}`, 'post to https://hooks.slack.com/'),
  around('stripe-key', `sk_live_${word(24)}`, 'charge with '),
  around('stripe-key', `rk_test_${word(24)}`, 'restricted: ', ','),
  around('stripe-key', `whsec_${word(32)}`, 'verify with '),
  around('anthropic-key', `sk-ant-api03-${word(93)}-${word(8)}`, 'ANTHROPIC_API_KEY='),
  around('openai-key', `sk-proj-${word(48)}`, 'export OPENAI_API_KEY="', '"'),
  around('openai-key', `sk-${word(48)}`, 'key is '),
  around('google-key', `AIza${word(35)}`, 'maps key ', '&x=1'),
  around('google-key', `ya29.${word(60)}`, 'gcloud printed '),
  around('google-key', `GOCSPX-${word(28)}`, 'client_secret: '),
  around('npm-token', `npm_${word(36)}`, '//registry.example/:_authToken='),
  around('service-token', `hf_${word(34)}`, 'pull with '),
  around('service-token', `SG.${word(22)}.${word(43)}`, 'mail through '),
  around('service-token', `pypi-AgEI${word(80)}`, 'twine: '),
  around('service-token', `dop_v1_${hex(64)}`, 'doctl auth init -t '),
  around('service-token', `dckr_pat_${word(27)}`, 'docker login -p '),
  around('service-token', `hvs.${word(40)}`, 'vault login '),
  around('service-token', `shpat_${hex(32)}`, 'shop: '),
  around('service-token', `${made(9, '123456789')}:AA${word(33)}`, 'the bot is '),
  around('service-token', `sk-or-v1-${hex(64)}`, 'router '),
  around('service-token', `lin_api_${word(40)}`, 'tickets: '),
  around('jwt', JWT, 'session ', ' expired'),
  around('jwt', JWT, '"jwt": "', '"'),
  around('bearer-token', word(40), 'curl -H "Authorization: Bearer ', '" https://api.example'),
  around('bearer-token', 'dXNlcjpwYXNz', 'Authorization: Basic ', ''),
  around('bearer-token', hex(32), 'send bearer ', ' with it'),
  around('private-key', pem('PRIVATE KEY'), 'Here:\n', '\nkeep it'),
  around('private-key', pem('RSA PRIVATE KEY')),
  around('private-key', pem('OPENSSH PRIVATE KEY')),
  around('private-key', pem('PGP PRIVATE KEY BLOCK')),
  around('private-key', pem('EC PRIVATE KEY').replaceAll('\n', '\\n'), '{"key":"', '"}'),
  around('private-key', `-----BEGIN PRIVATE KEY-----\n${PEM_LINES}`, 'cut off: '),
  around('url-password', 'hunter22', 'postgres://shop:', '@db.internal:5432/shop'),
  around('url-password', 'p@ss', 'https://bob:', '@git.example/x.git'),
  around('url-password', 'pa/ss', 'postgres://shop:', '@db.internal:5432/shop'),
  around('url-password', word(12), 'redis://:', '@cache:6379/0'),
  around('url-password', 's3cr3t', 'amqp://guest:', '@mq.example'),
  around('password', 'hunter2', 'password = '),
  around('password', 'hunter2', 'DB_PASSWORD=', '\nDB_HOST=db'),
  around('password', 'hunter2', "db.password: '", "'"),
  around('password', 'hunter2', '{"password":"', '"}'),
  around('password', 'hunter2', String.raw`{\"password\":\"`, String.raw`\"}`),
  around('password', 'correct horse battery', '{"password": "', '"}'),
  around('password', 'swordfish', 'Password: ', '\nUser: bob'),
  around('password', 'swordfish', 'PGPASSWORD=', ' psql'),
  around('password', 'Tr0ub4dor&3', 'the wifi password is ', '.'),
  around('password', 'Pa55w0rd!', 'Server=db;User Id=sa;Password=', ';Encrypt=true'),
  around('password', '48151623', 'passcode: '),
  around('password', 'geheim-7x', 'Das Passwort lautet: '),
  around('password', 'geheim7x', 'Kennwort: '),
  around('password', 'motdepasse9', 'mot de passe : '),
  around('password', 'clave#2024', 'contraseña: '),
  around('password', 'kot12345', 'Пароль: '),
  around('password', 'neko2024', 'パスワード：'),
  around('password', 'admin888', '密码：'),
  around('password', 'hunter2', 'machine git.example login bob password ', '\n'),
  around('password', 'hunter2', '- **Password:** '),
  around('password', 'hunter2', '**Password**: `', '`'),
  around('password', 'Tr0ub4dor3', 'The password for the staging wiki is ', '.'),
  around('password', 'swordfish', 'Password for bob: ', '\n'),
  around('password', 'hunter2', 'user: bob, pw: '),
  around('service-token', `${word(40)}%3D`, 'https://a.blob.example/c?sv=2024&sig=', '&se=1'),
  around('password', 'hunter2', 'mysql -u root --password ', ' shop'),
  around('password', 'hunter2', 'curl -u bob:', ' https://x.example'),
  around('password', 'a b\\"c d9', 'password="', '"'),
  around('token', word(32), 'SESSION_SECRET='),
  around('token', hex(32), 'API key: '),
  around('token', hex(40), 'Datadog API key (staging) '),
  around('token', `${word(20)}/${word(19)}=`, 'aws_secret_access_key = '),
  around('token', UUID, 'token: '),
  around('token', word(24), "const apiKey = '", "';"),
  around('token', word(24), 'x-api-key: '),
  around('token', 'swordfish42', 'CLIENT_SECRET='),
  around('token', word(16), 'https://x.example/hook?access_token=', '&page=2'),
  around('token', word(10), '[![badge](https://x.example/b.svg?token=', ')](https://x.example)'),
  around('token', `${word(43)}=`, 'AccountName=a;AccountKey=', ';EndpointSuffix=x'),
  around('token', hex(32), 'the token of the build agents, rotated in May, is '),
  around('token', word(1200), 'token=', ' then'),
];

const FREE: readonly string[] = [
  'Where is the database password?',
  'The database password lives in Vault under kv/prod/db',
  'password: see the vault',
  'Password: required.',
  'password: <your password>',
  'password: ${DB_PASSWORD}',
  'password = process.env.DB_PASSWORD',
  'password: $DB_PASSWORD',
  'password: "{{ vault.db.password }}"',
  'PASSWORD=%s',
  'password: ********',
  'password: xxxxxxxx',
  'password: [redacted: password]',
  'password = getPassword()',
  'password: string;',
  'password: z.string().min(12)',
  'const password = req.body.password;',
  'if (password === stored) return true;',
  'password: !vault |',
  'password: null',
  'PASSWORD_MIN_LENGTH=12',
  'password_hash = "x9"',
  'Passwords need at least 12 characters and one of !@#.',
  'password: at least 12 characters',
  'password: 90d',
  'DB_PASSWORD=\nDB_HOST=db2.internal',
  'password:\n  - rotate it in every quarter2',
  'password for admins: required',
  'password policy: 12chars, token lifetime: 15m, secret rotation: q3plan',
  'The secret of good tests: they read like docs2',
  'All tests pass: 42/45, first pass: utf8mb4',
  'The password is case-sensitive.',
  'The password is required!',
  'Passwords are hashed with argon2id; password: Argon2id',
  'password auth: SCRAM-SHA-256',
  'Passwort: siehe 1Password',
  '{"password": "Please enter your password"}',
  '<input type="password" name="password">',
  '<label>Password: </label>',
  'SESSION_TTL_SECONDS=86400 and token: 15m',
  'max_tokens: 4096, tokens: 128000',
  'SESSION_TOKEN_TTL_SECONDS=86400',
  'token: expires after 8 hours',
  'token = await fetchToken()',
  "const token = req.headers['x-token'];",
  'token: Bearer <token>',
  'Authorization: Bearer ${TOKEN}',
  'Bearer authentication is required by the gateway',
  'Basic authentication-middleware is gone',
  'auth: OAuth2',
  'auth: required',
  'The secret: nobody reads it',
  'secretName: db-credentials-v2',
  'secret: kv/prod/shop-db-2',
  'api_key: str',
  'apiKey: config.apiKey',
  'API key: your-api-key-here',
  'The API key is rotated every 90 days',
  'primary key: order_id, cache key: user:42:profile',
  'public key: it is in the repository',
  `The token check broke in commit ${hex(40)}`,
  `sha256 of the token file: ${hex(64)}`,
  `cache key ${hex(32)}`,
  `The entry ${UUID} is gone`,
  `image digest sha256:${hex(64)}`,
  `git checkout ${hex(40)}`,
  'The token is verified in verifySessionTokenV2Handler and nowhere else',
  'http://localhost:8080/path@2x',
  'https://example.com:443/a?b=c@d',
  'ssh://git@host:22/owner/repo',
  'postgres://user:password@localhost/db',
  'postgres://shop:${DB_PASSWORD}@db/shop',
  'redis://localhost:6379/0',
  'A PEM file begins with -----BEGIN RSA PRIVATE KEY----- and ends with -----END RSA PRIVATE KEY-----.',
  `-----BEGIN PUBLIC KEY-----\n${PEM_LINES}\n-----END PUBLIC KEY-----`,
  `-----BEGIN CERTIFICATE-----\n${PEM_LINES}\n-----END CERTIFICATE-----`,
  'Keys of GitHub begin with ghp_, those of AWS with AKIA, those of Stripe with sk_live_',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'risk-assessment-of-the-whole-platform-in-2026',
  'task-force-for-the-migration-to-postgres-16',
  'sk-learn-pipelines-and-models-for-everyone',
  'npm_config_registry and npm_lifecycle_event are set',
  'eyJhbGciOi... is how a JWT begins',
  'hf_transfer speeds it up',
  'whsec_ is the prefix of webhook secrets',
  '--password is a flag of the tool; --token too',
  'curl -u user https://x.example',
  'We deploy on Tuesdays, secrets are checked by the linter',
];

describe('secrets', () => {
  it('are tested in every kind', () => {
    expect(new Set(HELD.map(([, , kind]) => kind))).toEqual(new Set(SECRET_KINDS));
  });

  it.each(HELD)('are found: %s', (text, secret, kind) => {
    expect(findSecrets(text).map(({ start, end, kind: found }) => [text.slice(start, end), found])).toEqual([[secret, kind]]);
  });

  it.each(FREE)('are not found in text without them: %s', (text) => {
    expect(findSecrets(text).map(({ start, end, kind }) => [text.slice(start, end), kind])).toEqual([]);
  });

  it('are not found in notes of real projects', () => {
    expect(MEMORIES.filter((text) => findSecrets(text).length > 0)).toEqual([]);
  });

  it('are found next to each other and in any surroundings', () => {
    const text = HELD.map(([held]) => held).join('\n\n');
    const found = findSecrets(text).map(({ start, end }) => text.slice(start, end));
    expect(HELD.filter(([, secret]) => !found.some((one) => one.includes(secret)))).toEqual([]);
  });

  // Each of these would take hours if a run were read again from each of its signs.
  it.each(
    ['sk-', 'eyJ', 'eyJa.', '-----BEGIN PRIVATE KEY-----', '://a:', '://a:@', 'password', 'password=', 'password="', 'token a '].concat([
      'Bearer a',
      '&a=',
      ')',
      '!',
      'password=\\',
      '--password ',
      'curl -u a:',
      'dapi',
      'glpat-',
      '"',
      'xox',
      '1',
      'a/',
      '[redacted: ',
    ]),
  )('are found behind a long run of %s', (unit) => {
    const before = `password= @ :// token curl ${unit.repeat(200_000 / unit.length)}\n`;
    const token = `ghp_${word(36)}`;
    const found = findSecrets(before + token).filter(({ end }) => end > before.length);
    expect(found).toMatchObject([{ kind: 'github-token' }]);
  });
});

/** Whether nothing of a secret is left that anybody could use. */
function isGone([text, secret]: Sample): boolean {
  const { text: redacted } = redact(text);
  return [secret, ...secret.split(/[\s"']+/)].every((part) => part.length < 4 || !redacted.includes(part));
}

describe('samples that were written before the rules', () => {
  /** No form, and no word that names it. */
  const MISSED = ['JWT_SECRET=my-very-long-jwt-secret-2024', 'the admin panel is at https://x.example, admin:hunter2'];

  it.each([
    ['keys, tokens and settings', KEYS],
    ['passwords in sentences of many languages', SAID],
  ])('%s are redacted, except known ones', (_, samples) => {
    const left = samples.filter((sample) => !isGone(sample)).map(([text]) => text);
    expect(left.filter((text) => !MISSED.includes(text))).toEqual([]);
    expect(left.length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['sentences about passwords', FREE_SENTENCES],
    ['code, data and sums', FREE_CODE],
  ])('%s are unchanged', (_, samples) => {
    expect(samples.map((text) => redact(text).text)).toEqual(samples);
  });

  it('are found in at most 1 of 1,000 passages of this project', () => {
    const texts = projectFiles().map((file) => readFileSync(file, 'utf8'));
    const passages = texts.flatMap((text) => splitPassages(text, { size: 1000, overlap: 0, max: Infinity }));
    const touched = passages.filter(({ text }) => findSecrets(text).length > 0);
    expect(passages.length).toBeGreaterThan(3000);
    expect(touched.length / passages.length).toBeLessThanOrEqual(0.001);
  });
});

function projectFiles(): string[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const below = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|tsx|css|md)$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name));
  return [...below('src'), ...below('web/src'), ...below('docs'), path.join(root, 'package-lock.json')];
}

describe('redaction', () => {
  it('removes secrets at the borders of a part', () => {
    const text = `Before.\n${pem('RSA PRIVATE KEY')}\nThe deploy token is ghp_${word(36)}.`;
    const middle = text.indexOf('\n', text.indexOf('\n', 10) + 1) + 1;
    expect(redactPart(text, { start: middle, end: middle + 130 })).toBe('[redacted: private-key]');
    expect(redactPart(text, { start: 0, end: text.length })).toBe(redact(text).text);
    expect(redactPart(text, { start: 0, end: text.length - 20 })).toMatch(/token is \[redacted: github-token\]$/);
  });

  it('puts the kind in place of the secret and changes nothing else', () => {
    const token = `ghp_${word(36)}`;
    expect(redact(`Clone with ${token}, then set password = hunter2\n`)).toEqual({
      text: 'Clone with [redacted: github-token], then set password = [redacted: password]\n',
      kinds: ['github-token', 'password'],
    });
    expect(redact('nothing here')).toEqual({ text: 'nothing here', kinds: [] });
  });

  it('replaces two overlapping secrets by the clearer name', () => {
    expect(redact(`token=ghp_${word(36)}/more9`)).toEqual({ text: 'token=[redacted: github-token]', kinds: ['github-token'] });
  });

  it.each(HELD)('changes nothing the second time: %s', (text) => {
    const { text: once } = redact(text);
    expect(redact(once)).toEqual({ text: once, kinds: [] });
  });

  const piece = fc.constantFrom(
    ...HELD.flatMap(([text, secret]) => [text, secret]),
    ...FREE,
    ...LETTERS.split(''),
    ' ',
    '\n',
    '"',
    "'",
    '=',
    ': ',
    '@',
    '/',
    '\\',
  );
  const mixed = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

  it('returns secrets in order, separate and within the text', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        let at = 0;
        for (const { start, end } of findSecrets(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const { text: once } = redact(text);
        expect(redact(once).text).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  it('never misses a token of a known format', () => {
    const tokens = HELD.flatMap(([text, secret, kind]) =>
      ['password', 'token', 'bearer-token', 'url-password'].includes(kind) || text.includes('://') ? [] : [secret],
    );
    fc.assert(
      fc.property(mixed, fc.constantFrom(...tokens), mixed, (before, token, after) => {
        // Where letters stand right before it, it is the end of another word.
        const marked = `${before} ${token} ${after}`;
        const at = marked.indexOf(` ${token} `);
        const secrets = findSecrets(marked);
        expect(secrets.some(({ start, end }) => start <= at + 1 && end > at + token.length)).toBe(true);
      }),
    );
  });
});
