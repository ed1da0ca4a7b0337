import { describe, expect, it } from 'vitest';
import { outcomesIn } from '../../../src/memory/capture/capture-outcomes.ts';
import { statementsIn } from '../../../src/memory/capture/capture-statements.ts';

describe('statements of a user', () => {
  it.each([
    ['decision', 'We decided to use Postgres instead of MySQL.'],
    ['decision', "Let's go with tabs."],
    ['decision', 'From now on releases happen on Tuesdays.'],
    ['decision', 'We no longer support Node 18.'],
    ['preference', 'I prefer small functions.'],
    ['preference', 'Never commit to main.'],
    ['preference', "Don't use default exports."],
    ['fact', 'Remember that the staging key is in Vault.'],
    ['fact', 'Our API listens on port 8081.'],
    ['fact', 'The deploy needs about ten minutes.'],
    ['fact', 'Payments go through Adyen.'],
    ['fact', 'The warehouse is billed to the project fnd-analytics-prod.'],
    ['fact', 'Core samples are read with the las crate; our own reader is gone.'],
    ['decision', 'Stripe was rejected for its fees.'],
    ['decision', 'it should look like our brand so lets go with the drawer'],
    ['preference', 'put the fixtures in test/data pls, thats where we keep them'],
    ['preference', 'Schreib die Fehlertexte auf Englisch, nur die Oberfläche ist deutsch.'],
    ['fact', 'for anything about invoices ask marta, she wrote that part'],
    ['fact', 'gross means with tax but before discounts for us'],
    ['fact', "Priyanka handles everything with the studios' contracts, so if a customer wants other terms send it to her."],
    ['fact', 'Listener IPs may be stored for seven days and not a day longer.'],
    ['fact', 'Hannah needs the export by the 3rd working day, she complains first if it is late.'],
    ['preference', 'could you please stop putting emojis into the changelog, looks childish'],
    ['preference', 'no me pongas emojis en los textos de los informes, por favor'],
    ['preference', 'please stop wrapping everything in try/catch, a crash in dev is fine and I want to see it'],
    ['decision', 'Für die Erinnerung hatte ich erst an WhatsApp gedacht, aber der Datenschutz… also doch SMS.'],
    ['fact', 'The auditors need the export by the 3rd working day.'],
    ['fact', 'Rückfragen klärt Herr Dr. Weiß, er ist montags da.'],
    ['preference', 'Bitte schreib Kommentare immer auf Englisch, auch wenn wir deutsch reden.'],
  ])('are found as %s: %s', (kind, text) => {
    expect(statementsIn(text)).toEqual([{ kind, text, paragraph: 0 }]);
  });

  it.each([
    'Fix the failing test in src/a.ts.',
    'we need to protect the coupon endpoint, people are brute forcing codes.',
    'stripe webhook says signature invalid on every event since we moved to the app router:',
    'New DAG for returns please.',
    'We talked to the lawyers.',
    'the puzzle in room 12 is too hard',
    'the public api gets hammered by one customer',
    'Ein Rad steht seit Wochen da.',
    'Can you explain how the deploy works?',
    'Why do we use Postgres?',
    'Maybe we should use Postgres.',
    'If we decided to use Postgres, what would change?',
    "Let's see what happens.",
    'whats the url of the demo that i can send to him',
    'uploads fail again on the new bucket, how did we solve that the last time',
    'I want you to look at our tests.',
    'I want to share the wishlist logic between two components.',
    'I need to change how invoices are rendered.',
    'dbt says resources exceeded for mart_orders.',
    'Flyway meldet wieder eine falsche Prüfsumme.',
    'Schreib mir eine Klasse für Tarifzonen mit Erklärungen im Code.',
    'Je voudrais comparer deux fichiers YAML dans le dossier.',
    'ok',
    'Run the tests again',
    'Should we always use UTC?',
  ])('are not found in: %s', (text) => {
    expect(statementsIn(text)).toEqual([]);
  });

  it('keep the following reason without the rest of the prompt', () => {
    const text = 'Fix the login. We decided to drop Redis. It was too slow for us. Then run the tests.';
    expect(statementsIn(text)).toEqual([{ kind: 'decision', text: 'We decided to drop Redis. It was too slow for us.', paragraph: 0 }]);
  });

  it.each([
    [
      'a rule in the middle of a request',
      'Can you look at the header? Toolbars never have more than five buttons. Then push.',
      'Toolbars never have more than five buttons.',
    ],
    ['an imperative that is a rule', 'Use tabs, not spaces. Now run the tests.', 'Use tabs, not spaces.'],
    ['a correction', 'Wrong. The port should be 8080, not 3000.', 'The port should be 8080, not 3000.'],
    ['German', 'Moin! Wir nehmen Postgres statt MySQL. Bau bitte das Gerüst.', 'Wir nehmen Postgres statt MySQL.'],
    ['French', 'Utilise des tabulations, pas des espaces. Lance les tests.', 'Utilise des tabulations, pas des espaces.'],
    ['Spanish', '¿Puedes mirar esto? El puerto es 8081, no 8080.', 'El puerto es 8081, no 8080.'],
    ['Chinese', '帮我看一下测试。数据库用 Postgres，不用 MySQL。', '数据库用 Postgres，不用 MySQL。'],
    [
      'Japanese',
      'テストを実行してください。インデントはスペースではなくタブを使ってください。',
      'インデントはスペースではなくタブを使ってください。',
    ],
  ])('are found in everyday words: %s', (_what, text, statement) => {
    expect(statementsIn(text).map((each) => each.text)).toEqual([statement]);
  });

  it.each([
    'Sollten wir Tabs statt Leerzeichen nehmen?',
    'Écris un test pour le calcul des remises.',
    'Estoy en el tren, la conexión es mala.',
    '为什么本地测试能过，CI 里总是失败',
    'この関数をfetchUserに変えて、テストを実行して。',
    'My dev server is on port 5174 right now.',
    'Use the other branch and try again.',
    'Translate this: "We never share your data, and we always delete it."',
    'this is the third time you broke the build, come on',
  ])('are not found in small talk: %s', (text) => {
    expect(statementsIn(text)).toEqual([]);
  });

  it('include the preceding sentence if only that names the subject', () => {
    const text = 'The invoices are rendered by WeasyPrint. They must not be larger than 2 MB.';
    expect(statementsIn(text).map((each) => each.text)).toEqual([text]);
  });

  it('are found in any text in linear time', () => {
    for (const part of ['we ', 'ok ', '"', '`', 'a. b ', ': ', '; x ', 'の', '不是', 'never, not ', 'z.B. '])
      expect(statementsIn(part.repeat(20_000)).length).toBeLessThan(20_001);
  });

  it('are not found in code or quotes', () => {
    expect(statementsIn('```\n// We decided to use Postgres here.\n```\n> We decided to use MySQL here.')).toEqual([]);
  });
});

describe('outcomes of an assistant', () => {
  it.each([
    ['Der Fehler kam daher, dass der Container keine Zeitzonendaten hatte.', 'Ich schaue mir zuerst die Tests an und melde mich dann.'],
    ['La causa era un índice que faltaba en la tabla de pedidos.', 'Primero voy a leer la configuración y luego las pruebas.'],
    ['原因是容器里没有时区数据，定时任务按 UTC 运行。', '我先看一下配置，然后再跑测试。'],
  ])('are found in other languages: %s', (remedy, plan) => {
    expect(outcomesIn(`${plan}\n\n${remedy}`).map(({ kind, text }) => [kind, text])).toEqual([['fix', remedy]]);
  });

  it('contain the cause and the fix', () => {
    const text = 'The emails came twice because SES retried slow calls. The handler now stores the message id.';
    expect(
      outcomesIn(text)
        .map((each) => each.text)
        .join(' '),
    ).toBe(text);
  });

  it.each([
    ['fix', 'The root cause was a missing index on orders.'],
    ['fix', 'The build failed because the lock file was stale.'],
    ['fix', 'The borrow error in layers.rs came from holding an iterator while pushing.'],
    ['fix', 'The report ran out of memory in a window function.'],
    ['decision', 'I chose Fastify over Express because it is faster.'],
    ['outcome', 'I have added retries to the upload handler.'],
    ['outcome', 'Renamed the column total to amount in all tables.'],
    ['fact', 'Note that the gateway reads its schema at start.'],
  ])('are found as %s: %s', (kind, text) => {
    expect(outcomesIn(text)).toEqual([{ kind, text, paragraph: 0 }]);
  });

  it.each([
    'Let me look at the tests first.',
    "I'll add retries to the upload handler.",
    'Would you like me to add retries to the upload handler?',
    'It looks like the index might be missing on orders.',
    "You're absolutely right, that was wrong of me.",
    'Next I will rename the column in all tables.',
    'Done!',
  ])('are not found in: %s', (text) => {
    expect(outcomesIn(text)).toEqual([]);
  });
});
