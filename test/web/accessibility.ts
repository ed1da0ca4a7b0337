import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Fails where axe-core finds anything against WCAG 2.2 AA or its own best practices in what the page shows now. */
export async function expectAccessible(page: Page): Promise<void> {
  // Through the debugger: the page's own policy would refuse a script element.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } };
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    // Told otherwise, it also describes every element that passed, which takes a quarter of the time on a long page.
    return (await axe.run({ runOnly, resultTypes: ['violations'] })).violations;
  });
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n  ${node.html}\n  ${node.failureSummary ?? ''}`),
  );
  expect(told).toEqual([]);
  expect(await page.evaluate(silentIcons)).toEqual([]);
}

/** Buttons and links that show an icon alone and do not say what they do, to a screen reader and to who points at them. */
const silentIcons = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('button:has(svg), a[href]:has(svg)')]
    .filter((one) => one.checkVisibility() && one.innerText.trim() === '')
    .filter((one) => !one.hasAttribute('aria-label') || one.title === '')
    .map(({ outerHTML }) => outerHTML);

/** The same in either theme: a page takes on what the browser asks for without being loaded again, which costs more than the check. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}
