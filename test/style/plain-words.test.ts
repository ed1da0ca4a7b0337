import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

/** Words that read as if translated, with what to write. */
const INSTEAD: Readonly<Record<string, RegExp>> = {
  again: /(?<![-\w])anew\b/i,
  'in the background': /behind the requests/i,
  automatically: /of its own accord/i,
  'anyone who': /\bwhoever\b/i,
  someone: /\bsomebody\b/i,
  everyone: /\beverybody\b/i,
  redact: /\bblot(?:s|ted|ting)? out\b/i,
  maintain: /\blook(?:s|ed|ing)? after\b/i,
  'after the response': /\bbehind (?:the )?(?:answers?|requests?)\b/i,
  forever: /\bfor ever\b/i,
  'the result': /\bcame of it\b/i,
  'at the same time': /\bin the same moment\b/i,
  'was deleted meanwhile': /\bwent meanwhile\b/i,
  'by its content': /\bby its looks\b/i,
  'is assumed': /\bgoes? without saying\b/i,
  'across restarts': /\bover restarts\b/i,
  current: /\bholds now\b/i,
  'queue it': /\b(?:lays? it|laid|laying it) down\b/i,
};
/** The same for comments in code only: decision records still have these. */
const INSTEAD_IN_COMMENTS: Readonly<Record<string, RegExp>> = {
  'the noun again': /\b(?:is|to|by|with|where|from|default|like|equals|word,|passage,|namespace:) that of\b/i,
  'or similar …': /\b(?:or|and) the like\b/i,
  'for nothing': /\bin vain\b/i,
  'a percentage': /\b(?:nine|eight|seven) tenths\b/i,
  'any …': /\bwhichever\b/i,
  'at any place': /\bwherever\b/i,
  'next to, or in addition to': /(?<!`)\bbeside\b(?!`)/i,
  'instead of': /\bin (?:the )?place of\b/i,
  'called for': /\b(?:is|are|was) told\b|\btold (?:of|once)\b/i,
  'what it is': /\bwhat there is\b/i,
  'at once': /\bthere and then\b/i,
  'as soon as': /\bno sooner\b/i,
  archive: /(?<!`)\bput(?:s|ting)? away\b/i,
  'passes, or submits': /\bhand(?:s|ed)? in\b/i,
  'then, or since then': /\bfrom then on\b/i,
  continues: /\bgo(?:es)? on\b/i,
  'has no other way': /\bknows? nothing\b/i,
  close: /\blets? go\b/i,
  'on its own, or nothing': /\bby themselves\b/i,
};
/** The same for titles of tests. */
const INSTEAD_IN_TITLES: Readonly<Record<string, RegExp>> = {
  'the thing': /\bwhat there is\b/i,
  'is reported, or gets': /\b(?:is|are) told\b|\btells? (?:of|how|what)\b/i,
  'if …': /\bwhere (?:it|one|none|nobody|nothing|there is)\b/i,
  'anyone who': /\bwhoever\b/i,
  'is in, is next to, ranks': /\bstands? (?:in|beside|behind|before|there)\b/i,
  'needs, requests': /\bwants? (?:a|an|to|one)\b/i,
  continues: /\bgo(?:es)? on\b/i,
  'restores, undoes': /\b(?:brings?|takes?|put) back\b/i,
  'next to': /\bbeside\b/i,
  permanently: /\bfor good\b/i,
  archive: /\bput(?:s|ting)? away\b/i,
  repair: /\bmend(?:s|ed|ing)?\b/i,
};
const TITLE = /^\s*(?:(?:describe|it|test)\b.*|\]?\))\(\s*(['"`])(?<title>(?:\\.|(?!\1).)*)\1/;
const CODE = /^(?:src|web\/src|test\/helpers)\//;
const TEXTS = /^(?:(?:src|web\/src|test\/helpers)\/.*\.tsx?|docs\/(?:adr\/)?[^/]*\.md|(?:README|CONTRIBUTING|CHANGELOG)\.md)$/;
const ROOT = new URL('../../', import.meta.url);
/** Made-up memories, and words to search for: there only comments count. */
const DATA = /^src\/(?:demo\/memories|memory\/(?:words|capture))\//;
const COMMENT = /^\s*(?:\/\*\*|\*|\/\/)/;

it('texts and comments are in plain words', async () => {
  const found: string[] = [];
  for (const path of await texts()) {
    const lines = (await readFile(new URL(path, ROOT), 'utf8')).split('\n');
    for (const [instead, word] of Object.entries(INSTEAD))
      for (const [index, line] of lines.entries())
        if (word.test(line) && (!DATA.test(path) || COMMENT.test(line)))
          found.push(`${path}:${index + 1}: write "${instead}": ${line.trim()}`);
    if (!CODE.test(path)) continue;
    for (const [instead, word] of Object.entries(INSTEAD_IN_COMMENTS))
      for (const [index, line] of lines.entries())
        if (COMMENT.test(line) && word.test(line)) found.push(`${path}:${index + 1}: write "${instead}": ${line.trim()}`);
  }
  expect(found).toEqual([]);
});

it('titles of tests are in plain words', async () => {
  const found: string[] = [];
  const paths = (await readdir(new URL('test', ROOT), { recursive: true })).filter((path) => /(?:test|drill)\.tsx?$/.test(path));
  for (const path of paths) {
    const lines = (await readFile(new URL(`test/${path}`, ROOT), 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) {
      const title = TITLE.exec(line)?.groups?.['title'];
      if (title === undefined) continue;
      for (const [instead, word] of Object.entries(INSTEAD_IN_TITLES))
        if (word.test(title)) found.push(`test/${path}:${index + 1}: write "${instead}": ${title}`);
    }
  }
  expect(found).toEqual([]);
});

async function texts(): Promise<string[]> {
  const folders = ['src', 'web/src', 'docs', 'test/helpers'];
  const below = await Promise.all(
    folders.map(async (folder) => (await readdir(new URL(folder, ROOT), { recursive: true })).map((path) => `${folder}/${path}`)),
  );
  return [...(await readdir(ROOT)), ...below.flat()].map((path) => path.replaceAll('\\', '/')).filter((path) => TEXTS.test(path));
}
