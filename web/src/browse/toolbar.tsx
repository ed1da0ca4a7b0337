import { filterOf, go, isFiltered, useAddress } from '../address.ts';
import type { LIST_SORTS } from '../../../src/memory/vocabulary.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Segments } from '../parts/segments.tsx';
import { Select } from '../parts/select.tsx';
import { browseTexts } from './texts.ts';

type Sort = (typeof LIST_SORTS)[number];
const SORTS: readonly Sort[] = ['-createdAt', 'createdAt', '-importance', 'importance'];
/** A timeline is in the order of time. */
const TIME_SORTS: readonly Sort[] = ['-createdAt', 'createdAt'];

interface ToolbarProps {
  /** Everything that passes the filter; undefined while that is not known. */
  readonly total: number | undefined;
  readonly sort: Sort;
  readonly isTimeline: boolean;
}

/** What is browsed, in which order, and how it is drawn. */
export function Toolbar({ total, sort, isTimeline }: ToolbarProps) {
  const filter = filterOf(useAddress());
  const words = browseTexts;
  return (
    <header class="browse-h">
      <div class="toolbar">
        <h1>{words.title}</h1>
        <span class="count" role="status">
          {total !== undefined && (isFiltered(filter) ? words.filtered(total) : words.total(total))}
        </span>
        <span class="grow" />
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
          options={[
            { value: 'list', label: <Shape icon="list" text={words.shapes.list} />, title: words.shapes.list },
            { value: 'timeline', label: <Shape icon="timeline" text={words.shapes.timeline} />, title: words.shapes.timeline },
          ]}
          onChoose={(as) => go({ as: as === 'list' ? '' : 'timeline' })}
        />
      </div>
      <div class="filterline">
        <FilterBar />
      </div>
    </header>
  );
}

function Shape({ icon, text }: { icon: 'list' | 'timeline'; text: string }) {
  return (
    <>
      <Icon name={icon} size="sm" />
      <span class="word">{text}</span>
    </>
  );
}
