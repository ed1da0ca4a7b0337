import { WEAK_SCORE } from '../../../src/memory/vocabulary.ts';
import { similar } from '../api/entries.ts';
import { Bar } from '../parts/bar.tsx';
import { ratio } from '../parts/formats.ts';
import { entryTexts } from './texts.ts';
import { DetailSection } from './detail-section.tsx';
import { titleOf } from '../parts/plain-text.ts';
import { OpenEntry } from './open-entry.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** The nearest memories by meaning. */
export function SimilarList({ id }: { id: string }) {
  const { value, error, again } = useLoaded((signal) => similar(id, signal), { about: id });
  if (value === undefined && error === undefined) return null;
  const results = value?.results.filter(({ score = 0 }) => score >= WEAK_SCORE) ?? [];
  return (
    <DetailSection
      id="details-similar"
      title={entryTexts.similar}
      note={results.length > 0 ? String(results.length) : undefined}
      error={value === undefined ? error : undefined}
      onRetry={again}
    >
      {results.length === 0 && <p class="dim sec-none">{value?.vector === 'pending' ? entryTexts.pending : entryTexts.noneSimilar}</p>}
      <ul class="rels">
        {results.map(({ entry, score = 0 }) => (
          <li key={entry.id}>
            <span class="row">
              <span class="num">{ratio(score)}</span>
              <Bar share={score} />
            </span>
            <OpenEntry id={entry.id} title={titleOf(entry)} />
            <span class="num clip" title={entry.metadata.namespace}>
              {entry.metadata.namespace}
            </span>
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}
