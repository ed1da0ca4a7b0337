import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarize } from '../../../src/memory/words/summary.ts';

const FILLER = [
  'The weather was fine on that day.',
  'Somebody had brought cake to the office.',
  'A train passed by the window twice.',
  'Nobody could remember where the stapler went.',
];
const filler = (count: number): string => Array.from({ length: count }, (_, nth) => `${FILLER[nth % 4]} (${nth})`).join(' ');

const ARTICLE = `# Deployment of the billing service

The billing service is deployed to staging first and to production an hour later. ${filler(3)}

- Each deployment of the billing service runs the database migrations before the new version starts.
- The on-call person watches the billing dashboards for ten minutes.

\`\`\`sh
make ship SERVICE=billing ENV=staging && make verify SERVICE=billing ENV=staging && make ship ENV=production
\`\`\`

When a deployment of the billing service fails, the database migrations are rolled back and staging is restored. ${filler(5)}`;

describe('a summary', () => {
  it('is not made for short content', () => {
    expect(summarize('A short note. It has two sentences.')).toBeUndefined();
    expect(summarize('x'.repeat(600))).toBeUndefined();
  });

  it('consists of the most important sentences, in their words and order', () => {
    const summary = summarize(ARTICLE) ?? '';
    expect(summary).toContain('billing service');
    expect(summary).toMatch(/deploy/i);
    expect(summary).not.toContain('make ship');
    expect(summary).not.toContain('stapler');
    for (const part of summary.split(' … ')) expect(ARTICLE.replace(/\s+/g, ' ')).toContain(part);
  });

  it('is deterministic', () => {
    expect(summarize(ARTICLE)).toBe(summarize(ARTICLE));
  });

  it('does not end in an abbreviation such as e.g.', () => {
    const text = `We keep secrets in a vault, e.g. the keys of the payment provider. ${filler(20)}`;
    expect(summarize(`${'The vault keeps the keys of the payment provider safe. '.repeat(3)}${text}`)).not.toMatch(/e\.g\.$/);
  });

  it('cuts an overlong sentence between two words', () => {
    const summary = summarize(`${'endless words about the deployment of services '.repeat(30)}.`) ?? '';
    expect(summary).toMatch(/ \S+…$/);
    expect(summary.length).toBeLessThanOrEqual(240);
  });

  it('is not made of code, tables or text without sentences', () => {
    expect(summarize(`\`\`\`\n${'const x = 1;\n'.repeat(100)}\`\`\``)).toBeUndefined();
    expect(summarize('--- | --- | ---\n'.repeat(100))).toBeUndefined();
  });

  it('supports Chinese and Japanese sentences', () => {
    const summary = summarize('我们先把计费服务部署到预发布环境，然后再部署到生产环境。'.repeat(30)) ?? '';
    expect(summary).toMatch(/。$/);
  });

  it('never throws, is never longer than 240 characters, and is well-formed', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).map((unit) => `${unit} `.repeat(Math.ceil(700 / unit.length)));
    fc.assert(
      fc.property(text, (content) => {
        const summary = summarize(content);
        if (summary === undefined) return;
        expect(summary.length).toBeLessThanOrEqual(240);
        expect(summary.isWellFormed()).toBe(true);
        expect(summary.trim()).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it('handles ten megabytes', () => {
    expect(summarize(`${ARTICLE} ${'x. '.repeat(3_500_000)}`)).toContain('billing');
  });
});
