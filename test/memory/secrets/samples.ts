/** Signs that look like chance and are the same every time: nothing here ever opened anything. */
export function made(length: number, alphabet: string, seed = length): string {
  let state = seed * 7919 + 17;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return alphabet.charAt(state % alphabet.length);
  }).join('');
}
export const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
export const ALL = `${LETTERS.toUpperCase()}${LETTERS}0123456789`;
export const word = (length: number, seed?: number): string => made(length, ALL, seed);
export const hex = (length: number, seed?: number): string => made(length, '0123456789abcdef', seed);
const digits = (length: number, seed?: number): string => made(length, '0123456789', seed);
export const capitals = (length: number, seed?: number): string => made(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', seed);
const pem = (kind: string, lines: number): string =>
  `-----BEGIN ${kind}-----\n${Array.from({ length: lines }, (_, nth) => word(64, nth + 40)).join('\n')}\n-----END ${kind}-----`;

/** A text, and what must not stay of it. */
export type Sample = readonly [text: string, secret: string];
export const held = (before: string, secret: string, after = ''): Sample => [`${before}${secret}${after}`, secret];

/** Keys and tokens of services, and settings of programs. */
export const KEYS: readonly Sample[] = [
  held('Use ', `sk-ant-api03-${word(93, 3)}-${word(6, 4)}AA`, ' for the batch job.'),
  held('ANTHROPIC_API_KEY=', `sk-ant-api03-${word(95, 5)}`),
  held('the admin key of the org is ', `sk-ant-admin01-${word(80, 6)}`),
  held('OPENAI_API_KEY: ', `sk-proj-${word(74, 7)}T3BlbkFJ${word(74, 8)}`),
  held('openai key ', `sk-svcacct-${word(60, 9)}`),
  held('old style: ', `sk-${word(20, 10)}T3BlbkFJ${word(20, 11)}`, ', rotate it'),
  held('gh auth login --with-token <<< ', `ghp_${word(36, 12)}`),
  held('fine grained: ', `github_pat_${word(22, 13)}_${word(59, 14)}`),
  held('GITHUB_TOKEN: ', `ghs_${word(36, 15)}`, '\n'),
  held('git remote add x https://oauth2:', `glpat-${word(20, 16)}`, '@gitlab.example/a/b.git'),
  held('CI_JOB_TOKEN=', `glcbt-64_${word(20, 17)}`),
  held('slack bot ', `xoxb-${digits(12, 18)}-${digits(13, 19)}-${word(24, 20)}`),
  held('user token: ', `xoxp-${digits(11, 21)}-${digits(11, 22)}-${digits(12, 23)}-${hex(32, 24)}`),
  held('alerts go to https://hooks.slack.com/', `services/T${capitals(10, 25)}/B${capitals(10, 26)}/${word(24, 27)}`),
  held('stripe.api_key = "', `sk_live_${word(24, 28)}`, '"'),
  held('STRIPE_SECRET_KEY=', `sk_test_51${word(97, 29)}`),
  held('STRIPE_WEBHOOK_SECRET=', `whsec_${word(32, 30)}`),
  held('aws configure set aws_access_key_id ', `AKIA${capitals(16, 31)}`),
  held('aws_secret_access_key=', `${word(18, 32)}/${word(12, 33)}+${word(8, 34)}`),
  held('"SecretAccessKey": "', `${word(25, 35)}/${word(14, 36)}`, '",'),
  held('maps: ', `AIzaSy${word(33, 37)}`),
  held('https://maps.example/api/js?key=', `AIzaSy${word(33, 38)}`, '&callback=init'),
  held('//registry.example/:_authToken=', `npm_${word(36, 39)}`),
  held('TWINE_PASSWORD=', `pypi-AgEIcHlwaS5vcmc${word(120, 40)}`),
  held('huggingface-cli login --token ', `hf_${word(34, 41)}`),
  held('HF_TOKEN=', `hf_${word(37, 42)}`),
  held('session=', `eyJhbGciOiJIUzI1NiJ9.eyJ${word(80, 43)}.${word(43, 44)}`, '; Path=/'),
  held('id_token: ', `eyJ${word(30, 45)}.eyJ${word(200, 46)}.${word(86, 47)}`),
  held('', pem('RSA PRIVATE KEY', 25)),
  held('key.pem is\n', pem('PRIVATE KEY', 26), '\n'),
  held('', pem('OPENSSH PRIVATE KEY', 7)),
  held('DATABASE_URL=postgres://app:', 'Sommer-Regen-12', '@db.example:5432/app'),
  held('mongodb+srv://root:', word(16, 48), '@cluster0.example.net/?retryWrites=true'),
  held('mysql://root:', 'toor', '@127.0.0.1/shop'),
  held('redis://default:', word(32, 49), '@cache.example:6380'),
  held('amqps://svc:', 'n0tSoSecret!', '@mq.example/vhost'),
  held('Server=tcp:db.example,1433;User ID=app;Password=', 'Qw3rtz!uiop', ';Encrypt=True;'),
  held('Host=db;Username=app;Password=', word(20, 50), ';Database=shop'),
  held('jdbc:postgresql://db.example/shop?user=app&password=', 'Kartoffel9', '&ssl=true'),
  held('DefaultEndpointsProtocol=https;AccountName=x;AccountKey=', `${word(86, 51)}==`, ';EndpointSuffix=core.example'),
  held('Authorization: Bearer ', word(40, 52)),
  held("headers: { 'Authorization': 'Bearer ", `${word(20, 53)}.${word(20, 54)}`, "' }"),
  held('curl -H "Authorization: token ', hex(40, 55), '"'),
  held('Authorization: Basic ', 'YWRtaW46aHVudGVyMg=='),
  held('https://admin:', 'hunter2', '@grafana.example/api'),
  held('ftp://deploy:', 'x9!kLm', '@files.example'),
  held('curl -u admin:', 'S3cure.Pass', ' https://jenkins.example'),
  held('DB_PASSWORD=', 'correcthorse'),
  held('export DB_PASS=', 'tr0ub4dor'),
  held('POSTGRES_PASSWORD="', 'blue42whale', '"'),
  held('MYSQL_ROOT_PASSWORD: ', 'changeme123'),
  held('SMTP_PASS=', 'wr3nch-box'),
  held('SECRET_KEY_BASE=', hex(128, 56)),
  held('JWT_SECRET=', 'my-very-long-jwt-secret-2024'),
  held("SECRET_KEY = '", `django-insecure-${word(50, 57)}`, "'"),
  held('NEXTAUTH_SECRET=', `${word(43, 58)}=`),
  held('{"user":"admin","password":"', 'letmein', '"}'),
  held('  "db_password": "', 'Pa$$w0rd', '",'),
  held('password: ', 'Winter2024', '\n'),
  held("password: '", 'it-is-me-7', "'\n"),
  held('spring.datasource.password=', 'Gr33nTea'),
  held('<add key="ApiKey" value="', word(32, 59), '" />'),
  held('ENCRYPTION_KEY=', hex(64, 60)),
  held('client_secret=', `GOCSPX-${word(28, 61)}`, '&grant_type=authorization_code'),
  held('X-Api-Key: ', hex(32, 62)),
  held('api_token = "', word(28, 63), '"'),
  held('DATADOG_API_KEY=', hex(32, 64)),
  held('SENDGRID_API_KEY=', `SG.${word(22, 65)}.${word(43, 66)}`),
  held('TWILIO_AUTH_TOKEN=', hex(32, 67)),
  held('telegram bot ', `${digits(10, 68)}:AA${word(33, 69)}`),
  held('vault token ', `hvs.${word(90, 70)}`),
  held('doctl auth init -t ', `dop_v1_${hex(64, 71)}`),
  held('docker login -u bot -p ', 'Fr0mage!99', ' registry.example'),
  held('sshpass -p ', "'kl3in-Gross'", ' ssh root@10.0.0.4'),
  held('mysql -uroot -p', 'hunter2x', ' shop'),
  held('PGPASSWORD=', 'elephants', ' psql -h db'),
  held('redis-cli -a ', 'Zx81spectrum', ' ping'),
  held('machine api.example login bot password ', 'tok3n-of-bot'),
  held('Cookie: session_token=', word(48, 72)),
  held('password = ', '"s p a c e 7"'),
];
