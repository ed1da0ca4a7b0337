import type { ListSort } from '../../../src/memory/entry.ts';
import { go } from '../address.ts';
import { Icon } from '../parts/icon.tsx';
import { Segments } from '../parts/segments.tsx';
import { Select } from '../parts/select.tsx';
import { browseTexts } from './texts.ts';

const SORTS: readonly ListSort[] = ['-createdAt', 'createdAt', '-importance', 'importance'];
/** A timeline is always ordered by time. */
const TIME_SORTS: readonly ListSort[] = ['-createdAt', 'createdAt'];

export function ListControls({ sort, isTimeline }: { readonly sort: ListSort; readonly isTimeline: boolean }) {
  const words = browseTexts;
  return (
    <div class="row list-controls">
      <Select
        class="input sort"
        aria-label={words.sort}
        value={sort}
        options={(isTimeline ? TIME_SORTS : SORTS).map((value) => ({ value, label: words.sorts[value] }))}
        onChoose={(chosen) => go({ sort: chosen })}
      />
      <Segments
        legend={words.shape}
        name="browse-shape"
        value={isTimeline ? 'timeline' : 'list'}
        options={(['list', 'timeline'] as const).map((shape) => ({
          value: shape,
          label: (
            <>
              <Icon name={shape} size="sm" />
              <span class="word">{words.shapes[shape]}</span>
            </>
          ),
          title: words.shapes[shape],
        }))}
        onChoose={(as) => go({ as: as === 'list' ? '' : 'timeline' })}
      />
    </div>
  );
}
