import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStopWord, MAX_QUERY_TOKENS, MAX_TOKEN_CHARS, queryTokens, searchText, tokenize } from '../../../src/memory/words/tokens.ts';

/** Whether a keyword search for any word of the query finds the text. */
const finds = (query: string, text: string): boolean => {
  const index = new Set(tokenize(text));
  return queryTokens(query).some((token) => index.has(token));
};

describe('a search by word', () => {
  it.each([
    ['向量', '我们使用向量检索来查找记忆'],
    ['検索', '全文検索は日本語でも使えます'],
    ['日本語', '全文検索は日本語でも使えます'],
    ['검색', '전문검색 기능'],
    ['内存', '内存不足'],
    ['猫', '猫 sits'],
    ['ไทย', 'ภาษาไทย'],
    ['fox', 'two foxes'],
    ['userService', 'src/main/userService.ts'],
    ['userservice', 'src/main/userService.ts'],
    ['src/main/userService.ts', 'see src/main/userService.ts, line 3'],
    ['user', 'getUserById'],
    ['getuserbyid', 'getUserById()'],
    ['server', 'HTTPServer'],
    ['http', 'HTTPServer'],
    ['config', 'parse_config_file'],
    ['parse_config_file', 'call parse_config_file(path)'],
    ['cafe', 'Café'],
    ['Café', 'cafe'],
    ['resume', 'my résumé'],
    ['résumé', 'resume the job'],
    ['jump', 'jumping over'],
    ['jumping', 'jump over'],
    ['🚀', 'ship it 🚀!'],
    ['👍', 'done 👍🏽'],
    ['🇩🇪', 'from 🇩🇪'],
    ['C++', 'written in C++.'],
    ['c', 'written in C++.'],
    ['C#', 'a C# service'],
    ['127.0.0.1', 'listens on 127.0.0.1:7007'],
    ['foo-bar', 'the foo-bar package'],
    ['bar', 'the foo-bar package'],
    ['go', 'she went home'],
    ['child', 'children play'],
    ['ana', "Ana's birthday"],
    ['strasse', 'Große Straße'],
    ['istanbul', 'İSTANBUL'],
    ['api', 'our APIs'],
    ['fullwidth', 'ｆｕｌｌｗｉｄｔｈ'],
    ['नमस्ते', 'नमस्ते दुनिया'],
    ['ana@example.org', 'mail ana@example.org today'],
    ['v1.2.3', 'released v1.2.3'],
    ['user.name', 'C:\\Users\\user.name\\file'],
  ])('for %s finds %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it.each([
    ['C++', 'written in Rust'],
    ['cat', 'category'],
    ['日本', '本日'],
    ['don', "don't"],
  ])('for %s does not find %s', (query, text) => {
    expect(finds(query, text)).toBe(false);
  });
});

describe('the index stream', () => {
  it('keeps the order of the text: each compound, then its parts', () => {
    expect(tokenize('Deployed getUserById in src/user_api.ts today')).toEqual([
      'deploi',
      'getuserbyid',
      'get',
      'user',
      'by',
      'id',
      'in',
      'src/user_api.ts',
      'src',
      'user',
      'api',
      'ts',
      'todai',
    ]);
  });

  it('keeps repeated words, because frequency counts', () => {
    expect(tokenize('tea, tea and tea')).toEqual(['tea', 'tea', 'and', 'tea']);
  });

  it('splits scripts', () => {
    expect(tokenize('用Node写的2024年')).toEqual(['用', 'node', '写的', '2024', '年']);
  });

  it('cuts overlong words', () => {
    const [token, ...others] = tokenize('a1'.repeat(500));
    expect(token).toHaveLength(MAX_TOKEN_CHARS);
    expect(others).toEqual([]);
    expect(finds('a1'.repeat(500), `x ${'a1'.repeat(500)} y`)).toBe(true);
  });

  it('keeps the parts of a compound that is too long as a whole', () => {
    const path = `very/${'long/'.repeat(20)}path.ts`;
    expect(tokenize(path)).not.toContain(path);
    expect(finds('path', path)).toBe(true);
  });

  it('is empty for text without words', () => {
    expect(tokenize('')).toEqual([]);
    expect(tokenize(' \n … !!! --- ()')).toEqual([]);
  });

  it('never throws, is deterministic, and has no empty, blank or overlong token', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const tokens = tokenize(text);
        expect(tokenize(text)).toEqual(tokens);
        for (const token of tokens) {
          expect(token).not.toBe('');
          expect(token).not.toMatch(/\s/);
          expect(token.length).toBeLessThanOrEqual(MAX_TOKEN_CHARS);
          expect(token.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('handles lone surrogates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        expect(tokenize(String.fromCharCode(...units)).every((token) => token.isWellFormed())).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('contains every plain word of a text', () => {
    const word = fc.stringMatching(/^[a-z]{2,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        const index = new Set(tokenize(words.join(' ')));
        for (const one of words) expect(tokenize(one).every((token) => index.has(token))).toBe(true);
      }),
    );
  });
});

describe('the search text of an entry', () => {
  it('has the tokens of content and tags in order, with repetitions, joined by single blanks', async () => {
    expect(await searchText('Deploying with care, and care', ['how to', 'deploys', 'tools'])).toBe(
      'deploi with care and care how to deploi tool',
    );
  });

  it('is complete for texts of many blocks', async () => {
    const content = Array.from({ length: 20_000 }, (_, nth) => `line${nth} of the brownFox jumps_over;\n`).join('');
    // Compared as a truth value: what differs would be printed, a megabyte of it.
    expect((await searchText(content, ['tag'])) === [...tokenize(content), 'tag'].join(' ')).toBe(true);
    expect(tokenize(content)).toHaveLength(20_000 * 9);
  });

  it('yields during a long text', async () => {
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    await searchText('words and more words. '.repeat(100_000), []);
    clearInterval(others);
    expect(turns).toBeGreaterThan(1);
  });

  it.each([
    ['one word without an end', 'x'],
    ['one compound without an end', 'a.'],
    ['one camel without an end', 'aB'],
    ['apostrophes', "a'"],
    ['accents', 'e\u0301'],
    ['marks', '\u0939\u093f'],
    ['Chinese', '向量检'],
    ['emoji', '👨‍👩‍👧'],
    ['blanks', ' \n'],
    ['surrogate halves in the way of a block', '\ud83d\ude80x'],
  ])('handles ten megabytes of %s', async (_, unit) => {
    const text = await searchText(unit.repeat(Math.ceil(10_000_000 / Buffer.byteLength(unit))), []);
    expect(text.isWellFormed()).toBe(true);
  });
});

describe('the words of a query', () => {
  it('are the content words, each once', () => {
    expect(queryTokens('How does the server deploy the other server?')).toEqual(['server', 'deploi']);
  });

  it('are stop words if there are no others', () => {
    expect(queryTokens('what is this')).toEqual(['what', 'is', 'thi']);
  });

  it('are limited in number', () => {
    expect(queryTokens(Array.from({ length: 1_000 }, (_, nth) => `word${nth}`).join(' '))).toHaveLength(MAX_QUERY_TOKENS);
  });

  it('are distinguished from stop words in their indexed form', () => {
    expect(tokenize("does this because wouldn't").every(isStopWord)).toBe(true);
    expect(tokenize('May deploy doe').some(isStopWord)).toBe(false);
  });
});
