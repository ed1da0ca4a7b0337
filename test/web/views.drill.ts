/** Every view at the width of a desk, a tablet and a phone, in both themes. Their states are in the drills of each view. */
import { describe, expect, it } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { stageOfViews, VIEWS } from './every-view.ts';

const lore = stageOfViews();
const CASES = VIEWS.filter(({ isLong }) => isLong !== true).flatMap((view) => [1440, 1024, 390].map((width) => ({ ...view, width })));

describe('every view', () => {
  it.each(CASES)('$view: is accessible in both themes on a window of $width pixels', async ({ path, shown, width }) => {
    const page = await lore.open({ path, viewport: { width, height: 900 } });
    await shown(page);
    await expectAccessibleInBothThemes(page);
    expect(lore.opened.complaints).toEqual([]);
  });
});
