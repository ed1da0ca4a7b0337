import { ago, span } from '../parts/formats.ts';
import { Paragraph } from '../parts/inline-text.tsx';
import { dataTexts } from './data-texts.ts';
import { Button } from '../parts/button.tsx';
import { Refused } from './section.tsx';
import type { Overview } from './use-overview.ts';

const words = dataTexts.backup;

interface BackupCardProps {
  readonly overview: Overview;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
  /** Number of backups. */
  readonly many: number;
  readonly isListShown: boolean;
  readonly onShowList: (shown: boolean) => void;
}

/** The time of the last backup, and a button that makes one. */
export function BackupCard(props: BackupCardProps) {
  const { overview } = props;
  const { lastBackup } = overview.health;
  const interval = overview.settings?.settings.find(({ key }) => key === 'storage.backupInterval')?.value;
  return (
    <section class="card" aria-labelledby="backup-title">
      <header class="row row--wrap card-h">
        <h3 id="backup-title">{words.title}</h3>
        {lastBackup === undefined ? (
          <span class="status status--off">{words.none}</span>
        ) : (
          <span class="status">{ago(lastBackup.createdAt) ?? words.justNow}</span>
        )}
      </header>
      {typeof interval === 'number' && <Paragraph class="ink2 small" text={interval === 0 ? words.byHand : words.every(span(interval))} />}
      {overview.mayAdminister ? <Actions {...props} /> : <Refused />}
    </section>
  );
}

function Actions({ isBackingUp, onBackUp, many, isListShown, onShowList }: BackupCardProps) {
  return (
    <div class="row row--wrap">
      <Button icon="archive" label={isBackingUp ? words.working : words.now} disabled={isBackingUp} onClick={onBackUp} />
      {many > 0 && (
        <Button
          look="quiet"
          label={isListShown ? words.fewer : words.all(many)}
          aria-expanded={isListShown}
          onClick={() => onShowList(!isListShown)}
        />
      )}
    </div>
  );
}
