import { useState } from 'preact/hooks';
import { admin, type BackupResponse } from '../api/administration.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { BackupCard } from './backup-card.tsx';
import { BackupList } from './backup-list.tsx';
import { ExportCard } from './export-card.tsx';
import { ImportCard } from './import-card.tsx';
import { ReembedCard } from './reembed-card.tsx';
import { Section, PartFailure } from './section.tsx';
import type { Overview } from './use-overview.ts';

interface DataProps {
  readonly overview: Overview;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
  readonly onBegun: () => void;
}

/** Actions on the whole store. */
export function DataSection({ overview, isBackingUp, onBackUp, onBegun }: DataProps) {
  const [isListShown, setIsListShown] = useState(false);
  const { mayAdminister, boundTo } = overview;
  const loadBackups = async (signal: AbortSignal): Promise<readonly BackupResponse[]> =>
    mayAdminister ? await admin.backups.list({ signal }) : [];
  const { value = [], error, again } = useLoaded(loadBackups, { about: String(mayAdminister) });
  return (
    <Section part="data">
      <div class="cards2">
        <ReembedCard overview={overview} onBegun={onBegun} />
        {boundTo === undefined && (
          <BackupCard
            overview={overview}
            isBackingUp={isBackingUp}
            onBackUp={onBackUp}
            many={value.length}
            isListShown={isListShown}
            onShowList={setIsListShown}
          />
        )}
        <ExportCard overview={overview} />
        <ImportCard overview={overview} />
      </div>
      {error !== undefined && <PartFailure error={error} onRetry={again} />}
      {isListShown && value.length > 0 && <BackupList backups={value} />}
    </Section>
  );
}
