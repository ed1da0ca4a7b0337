import { describe, expect, it } from 'vitest';
import { LABEL_HEIGHT, labelAt, placeLabels } from '../../web/src/graph/labels.ts';
import { networkOf } from '../../web/src/graph/network.ts';
import type { Palette } from '../../web/src/graph/palette.ts';
import type { Picture } from '../../web/src/graph/picture.ts';

const [WIDTH, HEIGHT, PER_CHAR] = [360, 600, 7];
const LABEL = 'Webhook deliveries, eight';
const WORDS = LABEL.length * PER_CHAR;
const AREA = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT };
const measure = (text: string): number => text.length * PER_CHAR;

/** One node on a phone, at a place of the screen. */
function pictureOf(x: number, y: number, selected: number): Picture {
  const node = { id: 'a', label: LABEL, namespace: 'n', container: 'n', tags: [], priority: 'normal' as const, importance: 0.5, degree: 0 };
  const network = networkOf({ nodes: [{ ...node, superseded: false }], edges: [], truncated: false });
  return {
    network,
    shown: { nodes: new Uint8Array([1]), links: new Uint8Array(), nodeCount: 1, linkCount: 0, byType: {} as never },
    positions: new Float32Array([x, y]),
    camera: { zoom: 1, x: 0, y: 0 },
    palette: { font: 'sans' } as Palette,
    width: WIDTH,
    height: HEIGHT,
    selected,
    hovered: -1,
    matches: undefined,
    pinned: new Set(),
    moving: false,
    labels: [],
  };
}

/** Where the label goes, and how much of it is in the window. */
function labelled(x: number, y: number, selected = -1): { side: string; seen: 'all' | 'part' | 'none' } | undefined {
  const picture = pictureOf(x, y, selected);
  const [label] = placeLabels(picture, { measure, names: [], area: AREA });
  if (label === undefined) return undefined;
  const at = labelAt(picture, label, WORDS);
  const [top, bottom] = [at.y - LABEL_HEIGHT / 2, at.y + LABEL_HEIGHT / 2];
  const all = at.x > 0 && at.x + WORDS < WIDTH && top > 0 && bottom < HEIGHT;
  const none = at.x + WORDS < 0 || at.x > WIDTH || bottom < 0 || top > HEIGHT;
  return { side: label.side, seen: all ? 'all' : none ? 'none' : 'part' };
}

describe('the label of a node in a narrow window', () => {
  it.each([
    [20, 300, 'right'],
    [340, 300, 'left'],
    [180, 300, 'below'],
    [180, 590, 'above'],
  ])('at %i, %i has space: %s', (x, y, side) => {
    expect(labelled(x, y)).toEqual({ side, seen: 'all' });
    expect(labelled(x, y, 0)).toEqual({ side, seen: 'all' });
  });

  it('is never cut by the edge, wherever the node is', () => {
    for (let x = -150; x <= WIDTH + 150; x += 10)
      for (let y = -150; y <= HEIGHT + 150; y += 10)
        for (const selected of [-1, 0]) expect([x, y, labelled(x, y, selected)?.seen]).not.toEqual([x, y, 'part']);
  });

  it('outside of the window is prepared for panning', () => {
    expect(labelled(500, 300)?.seen).toBe('none');
  });
});
