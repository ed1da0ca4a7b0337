import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entitiesOf, findEntities } from '../../../src/memory/entities/entities.ts';
import { MAX_ENTITIES, MAX_ENTITY_CHARS } from '../../../src/memory/entities/entity-kinds.ts';
import { entityKey, kindOf } from '../../../src/memory/entities/entity-names.ts';

const MEMORIES = readFileSync(new URL('../../eval/data/memories.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { content: string }).content);

/** Each line: what is read, then the names that it holds, in order. */
type Case = readonly [content: string, ...names: string[]];

describe('entities', () => {
  it.each<Case>([
    ['The retry lives in packages/http/src/retry.ts.', 'packages/http/src/retry.ts'],
    ['See src/a.ts:12:5, src/b.ts#L10-L20 and (src/c.ts).', 'src/a.ts', 'src/b.ts', 'src/c.ts'],
    ['./scripts/purge.sh and ../shared/types.ts', 'scripts/purge.sh', '../shared/types.ts'],
    ['/etc/nordwind/edge.toml wins over /usr/local/bin', '/etc/nordwind/edge.toml', '/usr/local/bin'],
    ['set prefix to ~/.local, config in ~/.config/lore/config.json', '~/.local', '~/.config/lore/config.json'],
    [
      String.raw`logs to C:\ProgramData\Nordwind\bridge.log; see src\ui\Button.tsx:7`,
      'C:/ProgramData/Nordwind/bridge.log',
      'src/ui/Button.tsx',
    ],
    [String.raw`C:\Program Files\nodejs\node.exe and \\server\share\doc.txt`, 'C:/Program Files/nodejs/node.exe', '//server/share/doc.txt'],
    [String.raw`C:\Users\Jo Doe\file.txt and then src/a.ts`, 'C:/Users', 'src/a.ts'],
    [String.raw`in ${'`'}c:\Users\Jo Doe\file.txt${'`'}`, 'C:/Users/Jo Doe/file.txt'],
    ['package.json, .env.local, Dockerfile and .npmrc', 'package.json', '.env.local', 'Dockerfile', '.npmrc'],
    ['package.json/package-lock.json', 'package.json', 'package-lock.json'],
    ['Templates: services/mail/templates/, one per language', 'services/mail/templates'],
    ['infra/envs/{staging,production}/main.tf and ops/dash/*.jsonnet', 'infra/envs', 'ops/dash'],
    ['apps/web/locales/<lang>/common.json, /srv/media/<id>.jpg', 'apps/web/locales', '/srv/media'],
    ['app/(auth)/login/page.tsx, src/routes/[slug]/+page.svelte', 'app/(auth)/login/page.tsx', 'src/routes/[slug]/+page.svelte'],
    ['**src/app.ts** and *config.yaml*', 'src/app.ts', 'config.yaml'],
    ['src/*.ts and **/*.config.js'],
    ['at run (/app/dist/server.js:12:5)', '/app/dist/server.js'],
    ['node:internal/modules/cjs/loader.js:1080, /movies/:title.mp4'],
    ['PUT /api/v1/orders/{id}/items, then /api/users/:id', '/api/v1/orders', '/api/users'],
  ])('of kind path: %s', (content, ...names) => {
    expect(findEntities(content)).toEqual(names.map((name) => ({ name, kind: 'path' })));
  });

  it.each<Case>([
    ['`calculateCartTotals()` rounds once.', 'calculateCartTotals'],
    ['reserve_stock_for_order locks rows', 'reserve_stock_for_order'],
    ['SESSION_TTL_SECONDS=86400 in every environment', 'SESSION_TTL_SECONDS'],
    ['Every service throws `DomainError`; the `Router` maps it.', 'DomainError', 'Router'],
    ['`MoneyAmount.allocate([1,1,1])` spreads the rest', 'MoneyAmount.allocate'],
    ['`nw::edge::RingBuffer<T>::try_push` never blocks', 'nw::edge::RingBuffer::try_push'],
    ['views live only inside parse(); call .rotate() first', 'parse()', 'rotate()'],
    ['response.json() was undefined', 'response.json()'],
    ['ITurbineClock instead of DateTime.UtcNow', 'ITurbineClock', 'DateTime.UtcNow'],
    ['column promotions.starts_at, flag `checkout.express`', 'promotions.starts_at', 'checkout.express'],
    ['The LoginForm reads AuthContext; go through <RichText>.', 'LoginForm', 'AuthContext', 'RichText'],
    ['changes under com.birch.ledger.money', 'com.birch.ledger.money'],
    ['java.lang.OutOfMemoryError: Metaspace', 'java.lang.OutOfMemoryError'],
    ['guarded by a lock named _flushGate', '_flushGate'],
    ['Der UserService-Bug steckt in getUserById()', 'UserService', 'getUserById'],
    ['this.retryCount is reset by self.reset_all()', 'retryCount', 'reset_all'],
  ])('of kind symbol: %s', (content, ...names) => {
    expect(findEntities(content)).toEqual(names.map((name) => ({ name, kind: 'symbol' })));
  });

  it.each<Case>([
    ['replay with pnpm --filter @acme/tools', '@acme/tools'],
    ['@tanstack/react-query@5.59.0 and zod@3.24.2 are pinned', '@tanstack/react-query', 'zod'],
    ['run `npm install -g pnpm@9.12.1 typescript`', 'pnpm', 'typescript'],
    ['npm install drizzle-orm, then go on', 'drizzle-orm'],
    ["import { z } from 'zod'; import fs from 'node:fs';", 'zod'],
    ["import {\n  a,\n  b,\n} from 'lib-ab';\nimport c from 'lib-c'; export * from 'lib-d'", 'lib-ab', 'lib-c', 'lib-d'],
    ["const fp = require('lodash/fp'); await import('@aws-sdk/client-s3/dist')", 'lodash', '@aws-sdk/client-s3'],
    ['```js\nimport "reflect-metadata";\n```', 'reflect-metadata'],
    ['`pip install PyYAML==6.0 scikit-learn[all]>=1.0`', 'pyyaml', 'scikit-learn'],
    ['`cargo add tokio --features full`', 'tokio'],
    ['`go get github.com/spf13/cobra@v1.8.0`', 'github.com/spf13/cobra'],
    ['`npm i socket.io moment.js`', 'socket.io', 'moment.js'],
  ])('of kind package: %s', (content, ...names) => {
    expect(findEntities(content)).toEqual(names.map((name) => ({ name, kind: 'package' })));
  });

  it.each<Case>([
    ['Staging lives at https://Staging.acme.example/.', 'https://staging.acme.example'],
    [
      '(see https://en.wikipedia.org/wiki/Foo_(bar)), <https://x.example/a?b=c&d=e#f>',
      'https://en.wikipedia.org/wiki/Foo_(bar)',
      'https://x.example/a?b=c&d=e#f',
    ],
    ['https://user:secret@api.example.com:443/v1?page=2&access_token=abc&accessToken=def', 'https://api.example.com/v1?page=2'],
    ['redis://:pw@localhost:6379/0 and s3://bucket/key.parquet', 'redis://localhost:6379/0', 's3://bucket/key.parquet'],
    ['restic to rest:http://nas.local:8000/laptop', 'http://nas.local:8000/laptop'],
    ['https://a.example/x,https://b.example/y', 'https://a.example/x', 'https://b.example/y'],
    ['https://x.example/d/${id}, https://x.example/?q=$', 'https://x.example/d', 'https://x.example/?q'],
    ['https://... and http://<host>/x and https://$HOST/y'],
    ['postgres://lore:pa/ss@db.internal:5432/lore'],
  ])('of kind url: %s', (content, ...names) => {
    expect(findEntities(content)).toEqual(names.map((name) => ({ name, kind: 'url' })));
  });

  it.each<Case>([
    ['npm ERR! code EACCES on global installs', 'EACCES'],
    ['`ERR_PNPM_OUTDATED_LOCKFILE` and UND_ERR_SOCKET in CI', 'ERR_PNPM_OUTDATED_LOCKFILE', 'UND_ERR_SOCKET'],
    ['TS2742: cannot be named; error[E0382]; CS8602', 'TS2742', 'E0382', 'CS8602'],
    ['Windows says 0x80070005, then 0x8024402c.', '0x80070005', '0x8024402C'],
    ['ORA-01555 snapshot too old, SQLSTATE[42P01]', 'ORA-01555', 'SQLSTATE 42P01'],
    ['answers HTTP 503, HTTP/1.1 404, HTTP status 429', 'HTTP 503', 'HTTP 404', 'HTTP 429'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE, SSL_ERROR_BAD_CERT_DOMAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SSL_ERROR_BAD_CERT_DOMAIN'],
    ['49 EUR, EXIF, ERP, EPUB, HTTP 200, HTTP 503.5, 0x80 and ES2022'],
  ])('of kind error: %s', (content, ...names) => {
    expect(findEntities(content)).toEqual(names.map((name) => ({ name, kind: 'error' })));
  });

  it.each<Case>([
    ['@ken reviews it, cc @Anna-Lena and (@jane.doe).', '@ken', '@anna-lena', '@jane.doe'],
    ["ask @ken's team; **@zoë** and @Дмитрий know", '@ken', '@zoë', '@дмитрий'],
    ['Thanks [@JoviDeCroock](https://github.com/x) ', '@jovidecroock'],
    ['请联系@刘敏 确认，@김하늘 님도', '@刘敏', '@김하늘'],
    ['zofia@acme.example, git@github.com:acme/shop.git, root@10.0.0.1'],
    ['@media (max-width: 1px), @param name, @Injectable(), @PreAuthorize, @latest, @everyone, @v2, @ 5pm'],
    ['```java\n@Override\npublic String name()\n```'],
  ])('of kind person: %s', (content, ...names) => {
    expect(findEntities(content).filter(({ kind }) => kind === 'person')).toEqual(names.map((name) => ({ name, kind: 'person' })));
  });

  it.each<Case>([
    ['错误在src/utils/date.ts里，函数formatDate()返回错误的时区。', 'src/utils/date.ts', 'formatDate'],
    ['設定はconfig/app.yamlにあります。`UserService`クラスを参照。', 'config/app.yaml', 'UserService'],
    ['파일 src/index.ts에서 handleLogin을 수정했다.', 'src/index.ts', 'handleLogin'],
    ['说明在docs/设计/说明.md，见https://example.com/a。', 'docs/设计/说明.md', 'https://example.com/a'],
    ['甲/乙/丙/丁 和/或 在/etc/hosts里', '/etc/hosts'],
    ['Исправлено в функции encodeSubject, файл src/почта/тема.ts.', 'encodeSubject', 'src/почта/тема.ts'],
  ])('match in any language without blanks around them: %s', (content, ...names) => {
    expect(entitiesOf(content)).toEqual(names);
  });

  it.each([
    'He said and/or, either/or, 24/7, km/h, TCP/IP, CI/CD, read/write, w/o, n/a, 10/12/2025 and input/output.',
    'On macOS we use IntelliJ, PostgreSQL and GitHub; McDonald from LinkedIn sold his iPhone on eBay to O’Neil.',
    'e.g. this, i.e. that; U.S.A., Ph.D., a.m., v1.2.3, 1.2.3.4, 192.168.0.1:8080, 12:30, St.Louis and 5.Next',
    'RFC 2047, ISO8601, UTF-8, SHA-256, H.264, ES2022, HTTP/2, S3, K8s, x86_64, utf_8, en_US, uint8_t, QoS 1',
    'APIs, URLs, PhD, GmbH, kWh, mTLS, gRPC, SaaS, IoT, DevOps, NoSQL and camelCase, snake_case or PascalCase',
    'npm install fails; pnpm install, then pip install works again; go get coffee',
    "We import the catalog from 'supplier', they import data from 'legacy' and export prices to 'erp'; require 'more'",
    'acme/shop#123, origin/main, feature/login-form, ghcr.io/acme/api:1.2.3, application/json, smtp.mailhop.example:587',
    'recall@10 is 0.9, nDCG@5 and P@1 are lower; the icon@2x stays',
    'user_12345, ord_XXXX and 550e8400-e29b-41d4-a716-446655440000 are ids',
    'Node.js/Deno, Vue.js/React.js, the .ts files, a *.md or two, sed s/foo/bar/g',
    'set it to `true`, `null`, `main`, `borealis`, `--flag`, `git push`, `v1.2.3` or `foo-bar`',
    'Der Server ist aus, das Lager in Hamburg schließt freitags; Übergabe/Abnahme am 3.4.',
    'sk_live_51H8xYzABCDEF0123456789, ghp_16C7e42F292c6912E7710c838347Ae178B4a, eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
  ])('are not found among plain words: %s', (content) => {
    expect(entitiesOf(content).filter((name) => name !== 'node.js')).toEqual([]);
  });

  it('are listed once, in order of first appearance, across kinds', () => {
    const content =
      '@ken saw EACCES in `loadConfig()`.\n```ts\nimport { z } from "zod";\nloadConfig("src/config.ts");\n```\n@Ken: https://x.example';
    expect(entitiesOf(content)).toEqual(['@ken', 'EACCES', 'loadConfig', 'zod', 'src/config.ts', 'https://x.example']);
  });

  it('include those of prose after a line with inline code in three backticks', () => {
    expect(entitiesOf('```parse()``` is slow.\n@ken knows.')).toContain('@ken');
  });

  it('do not mistake the owner of a package for a person', () => {
    expect(entitiesOf('The @acme import is @acme/tools.')).toEqual(['@acme/tools']);
  });

  it('are at most 64 of at most 256 characters, from the beginning of a text', () => {
    const names = entitiesOf(Array.from({ length: 200 }, (_, nth) => `src/file-${nth}.ts`).join(' '));
    expect(names).toHaveLength(MAX_ENTITIES);
    expect(names[63]).toBe('src/file-63.ts');
    expect(entitiesOf(`src/${'long-'.repeat(60)}name.ts and src/short.ts`)).toEqual(['src/short.ts']);
    expect(entitiesOf(`src/first.ts ${'words and words '.repeat(70_000)} src/last.ts`)).toEqual(['src/first.ts']);
  });

  it('of the evaluation memories match the reviewed numbers', () => {
    const counts: Record<string, number> = {};
    for (const memory of MEMORIES) for (const { kind } of findEntities(memory)) counts[kind] = (counts[kind] ?? 0) + 1;
    expect(MEMORIES).toHaveLength(562);
    expect(counts).toEqual({ symbol: 160, path: 73, url: 11, error: 8, package: 3 });
  });
});

describe('the entities of any text', () => {
  const word = fc.constantFrom(
    ...'src/ a.ts ./ ../ ~/ C:\\ \\ / // . .. @ken @ @acme/x zod@1.2 foo() Foo.bar fooBar foo_bar FOO_BAR :: <T> `'.split(' '),
    ...'https://u:p@x.example/a?token=1&b=2#c http:// file:/// EACCES ERR_A_B TS2345 0x80070005 HTTP 503 ``` ~~~ * _ $ { } [ ] ( ) " \''.split(
      ' ',
    ),
    ...'npm install import from require( 中文 的 ー ß İ é é \u0000 node.js package.json .env Makefile github.com/a/b () :12 #L3'.split(' '),
    ' ',
    '\n',
    ', ',
    '. ',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(word, { maxLength: 40 }).map((words) => words.join('')),
    fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
    fc.array(fc.oneof(fc.constantFrom(...MEMORIES), word), { maxLength: 4 }).map((parts) => parts.join('')),
  );

  it('have the kind of their stored name, which is its own key', () => {
    fc.assert(
      fc.property(text, (content) => {
        for (const { name, kind } of findEntities(content)) {
          expect(kindOf(name), name).toBe(kind);
          expect(entityKey(name), name).toBe(name);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('are unique, within the limits, well-formed and without control characters', () => {
    fc.assert(
      fc.property(text, (content) => {
        const names = entitiesOf(content);
        expect(new Set(names).size).toBe(names.length);
        expect(names.length).toBeLessThanOrEqual(MAX_ENTITIES);
        for (const name of names) {
          expect(name.length).toBeLessThanOrEqual(MAX_ENTITY_CHARS);
          expect(name.trim()).toBe(name);
          expect(name).toMatch(/^\P{Cc}+$/u);
          expect(name.isWellFormed() || !content.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('are found in linear time after a scope', () => {
    expect(entitiesOf(`@scope/name${'/.'.repeat(20_000)}/0`)).toEqual(['@scope/name']);
    expect(entitiesOf(`@scope/name${'-'.repeat(40_000)}c and src/a.ts`)).toEqual(['src/a.ts']);
  });

  it('are searched in the beginning of a megabyte of repetitions', () => {
    const unit = fc.oneof(word, fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }));
    fc.assert(
      fc.property(unit, unit, (one, other) => {
        const content = `${one}${other}`.repeat(Math.ceil(1_000_000 / (one.length + other.length)));
        expect(entitiesOf(content).length).toBeLessThanOrEqual(MAX_ENTITIES);
      }),
      { numRuns: 60 },
    );
  });
});
