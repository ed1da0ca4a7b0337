import { useState } from 'preact/hooks';
import { BackupCard } from './backup-card.tsx';
import { BackupList } from './backup-list.tsx';
import { ExportCard } from './export-card.tsx';
import { ImportCard } from './import-card.tsx';
import { ReembedCard } from './reembed-card.tsx';
import { Section } from './section.tsx';
import type { Overview } from './overview.ts';

interface DataProps {
  readonly overview: Overview;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
  readonly onBegun: () => void;
}

/** What is done with the store as a whole. */
export function DataSection({ overview, isBackingUp, onBackUp, onBegun }: DataProps) {
  const [isListShown, setIsListShown] = useState(false);
  return (
    <Section part="data">
      <div class="cards2">
        <ReembedCard overview={overview} onBegun={onBegun} />
        <BackupCard
          overview={overview}
          isBackingUp={isBackingUp}
          onBackUp={onBackUp}
          isListShown={isListShown}
          onShowList={setIsListShown}
        />
        <ExportCard overview={overview} />
        <ImportCard overview={overview} />
      </div>
      {isListShown && <BackupList />}
    </Section>
  );
}
