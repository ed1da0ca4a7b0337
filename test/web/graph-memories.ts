import type { Page } from 'playwright-core';
import { RELATION_TYPES } from '../../src/memory/relation.ts';
import type { TestServer } from '../helpers/server.ts';

/** Texts without a word in common, so that Lore finds nothing between them by itself. */
const TEXTS = {
  retries: ['Webhook deliveries are tried eight times', 'harbor/api', 'high'],
  drop: ['Give up after five attempts', 'harbor/api', 'normal'],
  queue: ['Partner queue melted in March', 'harbor/api', 'normal'],
  umbrella: ['Umbrella stand beside my office door', 'dock', 'low'],
  toast: ['Marmalade on toast', 'dock', 'normal'],
  soup: ['Parsnip soup recipe', 'dock', 'normal'],
  hydrant: ['Hydrant inspection', 'alone', 'normal'],
} as const;
export type Name = keyof typeof TEXTS;

const RELATIONS: readonly (readonly [Name, string, Name, number])[] = [
  ['retries', 'supersedes', 'drop', 1],
  ['retries', 'references', 'queue', 0.9],
  ['queue', 'contradicts', 'umbrella', 0.8],
  ['umbrella', 'similar', 'toast', 0.4],
  ['soup', 'elaborates', 'toast', 0.7],
];

/** Seven memories in three namespaces and five relations, one of each type; gives the ids. */
export async function saveRelated(server: TestServer): Promise<Record<Name, string>> {
  const ids: Partial<Record<Name, string>> = {};
  for (const [name, [content, namespace, priority]] of Object.entries(TEXTS)) {
    ids[name as Name] = await server.save(content, { namespace, priority, tags: [name] });
  }
  for (const [from, type, to, strength] of RELATIONS) {
    const { status } = await server.call('POST', '/api/relations', { body: { sourceId: ids[from], targetId: ids[to], type, strength } });
    if (status >= 300) throw new Error(`not related: ${status}`);
  }
  return ids as Record<Name, string>;
}

const WORDS = 'queue retry webhook partner deadline index vector token session deploy cache invoice ledger tenant region quota'.split(' ');
const NAMESPACES = ['team/api', 'team/web', 'team/infra', 'team/ops'] as const;

/** As many entries and relations as a picture can hold, the same every time. */
export async function importLarge(server: TestServer, { nodes, relations }: { nodes: number; relations: number }): Promise<void> {
  const idOf = (number: number): string => `01990000-0000-7000-8000-${((number * 2_654_435_761) % 2 ** 40).toString(16).padStart(12, '0')}`;
  const lines: object[] = [];
  for (let number = 0; number < nodes; number += 1) {
    const words = Array.from({ length: 8 }, (_, at) => WORDS[(number * (at + 3)) % WORDS.length]).join(' ');
    const namespace = NAMESPACES[Math.floor((number * NAMESPACES.length) / nodes)];
    const timestamp = new Date(1.7e12 + number * 60_000).toISOString();
    lines.push({ id: idOf(number), content: `Case ${number}: ${words}`, metadata: { namespace, timestamp } });
  }
  for (let number = 0; number < relations; number += 1) {
    const from = number % nodes;
    const to = (from + 1 + Math.floor(number / nodes) * 7) % nodes;
    // Nothing may take the place of what takes its own: that type is left out.
    const type = RELATION_TYPES.filter((one) => one !== 'supersedes')[number % 4];
    const strength = 0.3 + (number % 70) / 100;
    lines.push({ relation: { sourceId: idOf(from), targetId: idOf(to), type, strength, createdAt: 1.7e12 + number, origin: 'auto' } });
  }
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const answer = await server.call('POST', '/api/import', { body, headers: { 'content-type': 'application/x-ndjson' } });
  if (answer.status !== 200) throw new Error(`not imported: ${answer.status} ${answer.text.slice(0, 300)}`);
}

/** A copy of the picture: the browser complains where a canvas that is painted on is read from often. */
const COPY = `(() => {
  const canvas = document.querySelector('canvas');
  const context = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height })
    .getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  return context;
})()`;

type Point = readonly [x: number, y: number];

/** The middle of the part of the picture that nothing lies over, on the page: what was found is there. */
export function middleOf(page: Page): Promise<Point> {
  return page.evaluate<Point>(`(() => {
    const box = (name) => document.querySelector(name)?.getBoundingClientRect() ?? { width: 0 };
    const [frame, legend, card] = [box('.g-frame'), box('.g-legend'), box('.g-card')];
    const sheet = card.width > 0.75 * frame.width;
    const left = legend.width > 0 ? legend.right : frame.left;
    const right = card.width > 0 && !sheet ? card.left : frame.right;
    return [(left + right) / 2, (frame.top + (sheet ? card.top : frame.bottom)) / 2];
  })()`);
}

/** The colour of the canvas at a place of the page, as `rgb(…)`. */
export function colourAt(page: Page, [x, y]: Point): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { left, top, width } = document.querySelector('canvas').getBoundingClientRect();
    const copy = ${COPY};
    const ratio = copy.canvas.width / width;
    const [r, g, b] = copy.getImageData((${x} - left) * ratio, (${y} - top) * ratio, 1, 1).data;
    return 'rgb(' + r + ', ' + g + ', ' + b + ')';
  })()`);
}

/** How many pixels of the canvas have exactly the colour of a token. */
export function pixelsOf(page: Page, token: string): Promise<number> {
  return page.evaluate<number>(`(() => {
    const [r, g, b] = ${colourScript(token)}.match(/\\d+/g).map(Number);
    const copy = ${COPY};
    const { data } = copy.getImageData(0, 0, copy.canvas.width, copy.canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] === r && data[at + 1] === g && data[at + 2] === b) found += 1;
    return found;
  })()`);
}

/** What a token stands for in the theme of this moment, as `rgb(…)`. */
export const colourOf = (page: Page, token: string): Promise<string> => page.evaluate<string>(colourScript(token));

const colourScript = (token: string): string => `(() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(${token})';
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
})()`;

/** A number that stands for every pixel of the picture. */
export const fingerprint = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const copy = ${COPY};
    const { data } = copy.getImageData(0, 0, copy.canvas.width, copy.canvas.height);
    let hash = 0;
    for (const value of data) hash = (Math.imul(hash, 31) + value) | 0;
    return hash;
  })()`);
