import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cueOf, statesChange } from '../../../src/memory/relation-cues/relation-cues.ts';

const typeOf = (newer: string, older: string): string => cueOf(newer, older)?.type ?? 'none';

describe('a newer text that names what it replaces', () => {
  it.each([
    ['The feed parser was moved from Ruby to Go.', 'The feed parser is written in Ruby.'],
    ['We switched the label printer from ZPL to PDF.', 'The label printer takes ZPL.'],
    ['The invoice number was changed from eight digits to ten digits.', 'The invoice number has eight digits.'],
    ['Memcached was replaced by Valkey in the price service.', 'The price service caches in Memcached.'],
    ['We replaced Memcached with Valkey in the price service.', 'The price service caches in Memcached.'],
    ['Farid replaces Odile as release captain.', 'The release captain is Odile.'],
    ['The XML feed was deprecated in favour of the JSON feed for partners.', 'Partners read the XML feed.'],
    ['The ledger package was renamed from ledger-core to ledger-engine.', 'The name of the ledger package is ledger-core.'],
    ['Use rsync instead of scp for the nightly copy.', 'Use scp for the nightly copy.'],
    ['The retro was on Wednesday, now it is on Friday.', 'The retro is on Wednesday.'],
    ['The retro takes place on Friday now, not on Wednesday.', 'The retro takes place on Wednesday.'],
    ['The quota form is no longer sent by fax.', 'The quota form is sent by fax.'],
    ["We don't use Selenium for the checkout tests anymore.", 'We use Selenium for the checkout tests.'],
    ['Correction: the spare key is with Ilse.', 'The spare key is with Odile.'],
    ['As of 1 October 2027 the canteen opens at 11:00.', 'The canteen opens at 11:30.'],
    ['The nightly job now writes to the bucket ledger-eu.', 'The nightly job writes to the bucket ledger-us.'],
    ['Reports are written in Quarto, formerly LaTeX.', 'Reports are written in LaTeX.'],
    ['Die Rechnungen werden nicht mehr gefaxt.', 'Die Rechnungen werden gefaxt.'],
    ['Die Volltextsuche wurde von Solr auf Meilisearch umgestellt.', 'Die Volltextsuche läuft mit Solr.'],
    ['La recherche utilise Meilisearch au lieu de Solr.', 'La recherche utilise Solr.'],
    ["Le panneau n'utilise plus Flash.", 'Le panneau utilise Flash.'],
    ['La búsqueda usa Meilisearch en lugar de Solr.', 'La búsqueda usa Solr.'],
    ['Поиск теперь работает на Meilisearch вместо Solr.', 'Поиск работает на Solr.'],
    ['搜索服务不再使用 Solr。', '搜索服务使用 Solr。'],
    ['検索サービスはSolrからMeilisearchに移行した。', '検索サービスはSolrを使う。'],
    ['검색 서비스는 Solr 대신 Meilisearch를 쓴다.', '검색 서비스는 Solr를 쓴다.'],
    ['Launch has slipped, the player goes out on 2 June instead.', 'Marketing wants to launch the new player on the 12th of May.'],
    [
      'Actually the board moved their meeting, so the report is due on the 3rd now',
      'The board report has to be ready by the 5th of each month.',
    ],
    [
      "We pushed the demo lock by a week, it's the 16th of February now",
      'The demo for Next Fest locks on February 9, Valve wants it early.',
    ],
    ['We go down to 30 on Deck, locked', 'Target is 40 fps on the Steam Deck, not 60.'],
    ['Itziar ya no lleva los permisos, ahora se piden por el portal', 'Los permisos de BigQuery los lleva Itziar.'],
    ['Cache TTL: 300 seconds (was 60)', 'The cache TTL is 60 seconds'],
    ['webhook timeout 5s -> 12s', 'The webhook timeout is 5s'],
    ['For search we dropped Solr for Typesense', 'Search runs on Solr'],
    ['Commit messages in English please, no more German', 'We write commit messages in German'],
    ['Make that five retries on a timeout', 'Retry three times on a timeout'],
    ['Since today we deploy with Flux, not Argo CD', 'We deploy with Argo CD from main; nobody runs kubectl apply'],
    ['Since last week backups run with borg, not restic', 'Backups run at 2 am with restic; keep 14'],
    ['Starting Monday standup is at 10:00', 'Standup is at 9:30'],
    ['Effective immediately release day is Tuesday', 'Release day is Friday'],
    ['Seit gestern deployen wir mit Woodpecker, nicht mit Jenkins', 'Wir deployen mit Jenkins aus main'],
    ['Ab Montag ist das Standup um 10:00', 'Das Standup ist um 9:30'],
    ['Depuis hier les sauvegardes tournent avec borg, pas restic', 'Les sauvegardes tournent avec restic'],
    ['Desde ayer los despliegues van con Flux, no Jenkins', 'Los despliegues van con Jenkins'],
    ['Der alte Broker ist abgeschaltet, die Daten kommen jetzt von emqx-07.', 'Die Daten kommen über MQTT vom Broker emqx-01.'],
  ])('supersedes: %s', (newer, older) => {
    expect(cueOf(newer, older)).toMatchObject({ type: 'supersedes', strength: expect.any(Number), cue: expect.any(String) });
  });
});

describe('a newer text that replaces nothing', () => {
  it.each([
    ['of another frequency', 'The weekly job runs at 04:30 now', 'The nightly job runs at 02:00'],
    ['an arrow that is a flow', 'Step 2 -> step 3 needs a valid mail', 'The form has 3 steps'],
    ['brackets that are a remark', 'The report (was a lot of work) is on the wiki', 'The report is due on Friday'],
    ['no more, of an amount', 'We log, no more than 10 MB a day, to S3', 'We log in JSON'],
    ['dropped for another thing', 'We dropped tests for the lexer', 'The parser has tests'],
    ['since a day, of another property', 'Since Monday the deploy takes nine minutes', 'We deploy with Argo CD from main'],
    ['since a day, a new thing', 'Since today the API has a status page', 'The API rate limit is 100 per minute'],
    ['from a day on, of a person', 'From Monday on Ben joins the standup', 'Standup is at 9:30'],
    ['since a month, of another thing', 'Since March the production database has a replica', 'The staging database is Postgres 15'],
    ['since, as a reason', 'Since tabs are wide we set the width to 2', 'We use tabs in Go files'],
    ['no longer, of something else', 'The fax machine is no longer used.', 'The feed parser is written in Ruby.'],
    ['no longer, of another part of the same thing', 'The feed parser no longer logs to a file.', 'The feed parser is written in Ruby.'],
    [
      'no longer, of another thing with the same property',
      'Safari is no longer supported by the kiosk app.',
      'Firefox is supported by the kiosk app.',
    ],
    ['one of several subjects', 'Search now times out after 10 s.', 'Search, export and login time out after 20 s.'],
    ['another unit', 'La copia dura ahora 40 minutos.', 'La copia nocturna empieza a las 02:00.'],
    ['another version with a date', 'Version 3 of the API goes out on 2 June instead.', 'Version 2 of the API goes out on 12 May.'],
    ['no longer, of another version', 'Node 18 is no longer supported.', 'Node 20 is supported.'],
    [
      'since, of another thing that one subject does',
      'The billing worker encrypts stale sessions since the March outage.',
      'The billing worker ignores broken responses to satisfy the auditors.',
    ],
    ['no longer, of another value of the same field', 'The API no longer returns XML.', 'The API returns JSON.'],
    ['another owner', 'Ana uses Helix instead of Vim.', 'Marek uses Vim.'],
    ['another owner, named elsewhere in the sentence', 'Ana replaced Vim with Helix as her editor.', 'The editor of Marek is Vim.'],
    ['another service', 'The cart service uses Valkey instead of Redis.', 'The catalog service uses Redis.'],
    ['another environment', 'In staging we moved from Redis to Valkey.', 'In production the cache is Redis.'],
    ['another week', 'On-call for week 31 is Bram instead of Odile.', 'On-call for week 30 is Odile.'],
    ['another country', 'Parcels to Norway go with Flinkpost instead of Eilbote.', 'Parcels to Spain go with Eilbote.'],
    [
      'the older text says the same already',
      'Use rsync instead of scp for the nightly copy.',
      'For the nightly copy rsync is used, not scp.',
    ],
    ['the older text replaced the same', 'Use yarn instead of npm in the web app.', 'Use pnpm instead of npm in the web app.'],
    ['the older text denies it', 'Use rsync instead of scp for the nightly copy.', 'Do not use scp for the nightly copy.'],
    ['a question', 'Should we use rsync instead of scp for the nightly copy?', 'Use scp for the nightly copy.'],
    ['a plan', 'We plan to replace scp with rsync for the nightly copy.', 'Use scp for the nightly copy.'],
    ['a thought', 'We considered rsync instead of scp for the nightly copy.', 'Use scp for the nightly copy.'],
    ['a possibility', 'The nightly copy might be moved from scp to rsync.', 'The nightly copy is made with scp.'],
    ['a condition', 'If the link is slow, use rsync instead of scp for the nightly copy.', 'Use scp for the nightly copy.'],
    ['a prohibition', 'Do not use rsync instead of scp for the nightly copy.', 'Use scp for the nightly copy.'],
    ['a part', 'For new tenants the nightly copy uses rsync instead of scp.', 'The nightly copy uses scp.'],
    ['an exception', 'The nightly copy uses rsync instead of scp, except in Oslo.', 'The nightly copy uses scp.'],
    ['the thing replaced does not occur', 'Use rsync instead of scp for the nightly copy.', 'The nightly copy takes 40 minutes.'],
    [
      'the older text says more than the newer speaks of',
      'The retro is on Friday instead of Wednesday.',
      'Wednesday: Ana picks up the kids, the cleaner comes at nine, bins go out, and the retro starts at four in room Zugspitze.',
    ],
    [
      'a rename, of what an older fact mentions',
      'The package ledger-core was renamed to ledger-engine.',
      'Rounding lives in the package ledger-core.',
    ],
    [
      'a correction in the middle, of what may be another thing',
      'Update: the captain of May leads the audit.',
      'The captain of June leads the audit.',
    ],
    ['one of a list', 'Tests are no longer run on Windows.', 'Tests are run on Linux and Windows.'],
    ['one of a list, replaced', 'Jenkins was replaced by Woodpecker for the builds.', 'The builds run on Travis and Jenkins.'],
    ['one of many', 'Backups moved from disk to tape.', 'Backups of the laptop are on disk.'],
    ['another floor of another team', 'The mail team is on floor 3 now, not on floor 2.', 'The sales team is on floor 2.'],
    [
      'a replacement of which only the name is shared',
      'Tomas replaced Ingrid as product owner of the shop.',
      'Ingrid is product owner of the ledger.',
    ],
    ['two facts without a cue', 'The canteen opens at 11:00.', 'The canteen opens at 11:30.'],
    ['now, as a manner of speaking', 'Now is a good time to prune the roses in the yard.', 'The roses in the yard are yellow.'],
    ['since, of something else', 'Since Monday the lift is out of order.', 'The lift takes eight persons.'],
    ['an update on something else', 'Update: the car park is full on Fridays.', 'The canteen opens at 11:30.'],
    ['an update with another subject', 'Update: the library opens at 9:00.', 'The canteen opens at 11:30.'],
    ['not only but also', 'The nightly copy goes not only to Oslo but also to Bergen.', 'The nightly copy goes to Oslo.'],
    ['German, of something else', 'Die Lieferscheine werden nicht mehr gefaxt.', 'Die Küche wird montags gereinigt.'],
    ['French, more than', "Le panneau n'affiche plus de dix lignes.", 'Le panneau utilise Flash.'],
    ['Chinese, of something else', '邮件服务不再使用 Solr。', '搜索服务的日志保存三十天。'],
    ['Japanese, a plan', '検索サービスはSolrからMeilisearchに移行する予定。', '検索サービスはSolrを使う。'],
  ])('%s', (_why, newer, older) => {
    expect(typeOf(newer, older)).not.toBe('supersedes');
  });
});

describe('a newer text of opposite polarity', () => {
  it.each([
    ['Deploys on Friday are not allowed.', 'Deploys on Friday are allowed.'],
    ['Never retry a POST.', 'Always retry a POST.'],
    ['Disable compression on the proxy.', 'Enable compression on the proxy.'],
    ["The kiosk doesn't need a proxy.", 'The kiosk does need a proxy.'],
    ['Deploy the gateway without the sidecar.', 'Deploy the gateway with the sidecar.'],
    ['Der Zugriff auf das Archiv ist verboten.', 'Der Zugriff auf das Archiv ist erlaubt.'],
    ['夜间不允许重启网关。', '夜间允许重启网关。'],
    // A time is one word, however many tokens are in it.
    [
      'The nightly export of the billing database never leaves the region of the customer. 2025-12-01T09:03:00Z',
      'The nightly export of the billing database leaves the region of the customer.',
    ],
    ["Users can't export the old reports.", 'Users can export the old reports.'],
  ])('contradicts: %s', (newer, older) => {
    expect(typeOf(newer, older)).toBe('contradicts');
    expect(typeOf(older, newer)).toBe('contradicts');
  });

  it.each([
    ['twice turned round', 'Do not disable compression on the proxy.', 'Enable compression on the proxy.'],
    ['of another thing', 'Deploys on Friday are not allowed.', 'Deploys on Monday are allowed.'],
    ['of another service', 'The cart service must not retry.', 'The mail service must retry.'],
    ['of another environment', 'Do not seed the database in production.', 'Seed the database in staging.'],
    ['asked, not said', 'Are deploys on Friday allowed?', 'Deploys on Friday are not allowed.'],
    ['the same twice', 'Deploys on Friday are not allowed.', 'Deploys on Friday are forbidden.'],
    ['with a cue of time', 'Deploys on Friday are no longer allowed in Oslo.', 'Invoices are printed in Oslo.'],
  ])('contradicts nothing: %s', (_why, newer, older) => {
    expect(typeOf(newer, older)).toBe('none');
  });
});

describe('a newer text that adds', () => {
  it.each([
    ['The canteen opens at 11:30. On Fridays it has fish.', 'The canteen opens at 11:30.'],
    ['The nightly copy also goes to Bergen.', 'The nightly copy goes to Oslo.'],
    ['In addition, the nightly copy is checked by hash.', 'The nightly copy goes to Oslo.'],
    ['Details: the nightly copy leaves out the temp folder.', 'The nightly copy goes to Oslo.'],
    ['The nightly copy goes to Oslo because Bergen has no room.', 'The nightly copy goes to Oslo.'],
    ['Außerdem prüft die Nachtkopie die Summen der Dateien.', 'Die Nachtkopie prüft die Namen der Dateien.'],
  ])('elaborates: %s', (newer, older) => {
    expect(typeOf(newer, older)).toBe('elaborates');
  });

  it.each([
    ['adds to something else', 'Also, water the plants.', 'The nightly copy goes to Oslo.'],
    ['says the same', 'The canteen opens at 11:30.', 'The canteen opens at 11:30.'],
    ['says less', 'The canteen opens at 11:30.', 'The canteen opens at 11:30. On Fridays it has fish.'],
    ['holds a single word', 'Oslo has two halls and a dock.', 'Oslo'],
    ['shares a place only', 'The reader in Oslo also speaks Norwegian.', 'The nightly copy of the ledger is kept in a vault in Oslo.'],
  ])('does not elaborate: %s', (_why, newer, older) => {
    expect(typeOf(newer, older)).toBe('none');
  });
});

describe('any two texts', () => {
  it('have no relation to themselves', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(cueOf(text, text)).toBeUndefined();
      }),
    );
  });

  it('give a strength above 0 and at most 1', () => {
    const word = fc.constantFrom(
      'Redis',
      'Valkey',
      'cache',
      'instead of',
      'now',
      'not',
      'also',
      'no longer',
      'the',
      'from',
      'to',
      'moved',
      '.',
      ',',
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (newer, older) => {
        const { strength } = cueOf(newer, older) ?? { strength: 1 };
        expect(strength).toBeGreaterThan(0);
        expect(strength).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('are compared only up to 4000 characters: a long text has many subjects', () => {
    const older = 'The nightly copy goes to Oslo.';
    expect(typeOf(`${older} ${'It is checked by hash. '.repeat(200)}`, older)).toBe('none');
    expect(typeOf(`${older} ${'It is checked by hash. '.repeat(20)}`, older)).toBe('elaborates');
  });
});

describe('statesChange', () => {
  it.each(['We moved it from Oslo to Bergen.', 'It is no longer there.', 'Jetzt in Bergen.', '现在在上海', 'Correction: Bergen.'])(
    'is true for: %s',
    (text) => {
      expect(statesChange(text)).toBe(true);
    },
  );

  it.each(['The nightly copy goes to Oslo.', 'We know Oslo.', 'Der Server steht in Oslo.'])('is false for: %s', (text) => {
    expect(statesChange(text)).toBe(false);
  });

  it('ignores text beyond 4000 characters', () => {
    expect(statesChange(`We moved it. ${'='.repeat(4000)}`)).toBe(false);
  });
});
