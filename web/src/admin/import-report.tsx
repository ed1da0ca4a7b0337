import type { ImportReport } from '../api/transfer.ts';
import { count } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { KeyValues } from '../parts/key-values.tsx';
import { namespaceOptions, Select } from '../parts/select.tsx';
import { useServer } from '../shell/server.tsx';
import { dataTexts } from './data-texts.ts';
import type { ConvertedLines } from './notes.ts';
import { Button } from '../parts/button.tsx';

const words = dataTexts.import;
const SHOWN_ERRORS = 50;

interface ImportFoundProps {
  readonly name: string;
  readonly report: ImportReport;
  readonly made: ConvertedLines | undefined;
  readonly namespace: string;
  readonly onNamespace: (namespace: string) => void;
  readonly onStore: () => void;
  readonly onLeave: () => void;
}

/** Preview of a file before anything is stored. */
export function ImportFound({ name, report, made, namespace, onNamespace, onStore, onLeave }: ImportFoundProps) {
  const { lines, stored, duplicates, invalid, besides } = report;
  const isWorth = stored > 0 || (besides?.lines ?? 0) > 0;
  return (
    <>
      <p class="small">{words.found[made?.from ?? 'lines'](lines, name)}</p>
      <Counts
        rows={[
          [words.fresh, stored],
          [words.known, duplicates],
          [words.bad, invalid],
          [words.beside, besides?.lines ?? 0],
        ]}
      />
      <Warnings report={report} />
      <LeftOut made={made} />
      <ReportedLines report={report} places={made?.places} />
      {stored > 0 && <Namespace chosen={namespace} onChoose={onNamespace} />}
      {!isWorth && <p class="dim small">{words.nothing}</p>}
      <div class="row row--wrap">
        {isWorth && <Button look="primary" icon="upload" label={stored > 0 ? words.start(stored) : words.startBeside} onClick={onStore} />}
        <Button look={isWorth ? 'quiet' : undefined} label={isWorth ? words.cancel : words.another} onClick={onLeave} />
      </div>
    </>
  );
}

export function ImportReceipt({ name, report, made, onLeave }: Pick<ImportFoundProps, 'name' | 'report' | 'made' | 'onLeave'>) {
  const { stored, duplicates, invalid, besides, redacted = 0, vectors } = report;
  return (
    <>
      <p class="row small">
        <Icon name="check" />
        <span class="breaks">{words.done(name)}</span>
      </p>
      <Counts
        rows={[
          [words.stored, stored],
          [words.known, duplicates],
          [words.bad, invalid],
          [words.relations, besides?.relations ?? 0],
          [words.archived, besides?.archived ?? 0],
          [words.versions, besides?.versions ?? 0],
          [words.redacted, redacted],
        ]}
      />
      {vectors !== undefined && (
        <p class="dim small">
          {words.vectors}: {words.vectorsOf(vectors.kept, vectors.remade)}
        </p>
      )}
      <Warnings report={report} />
      <LeftOut made={made} />
      <ReportedLines report={report} places={made?.places} />
      <div class="row">
        <Button icon="upload" label={words.another} onClick={onLeave} />
      </div>
    </>
  );
}

/** The first row always; other rows only if their count is not zero. */
function Counts({ rows }: { rows: readonly (readonly [string, number])[] }) {
  return <KeyValues rows={rows.filter(([, number], row) => row === 0 || number > 0).map(([name, number]) => [name, count(number)])} />;
}

function Warnings({ report: { warnings = [] } }: { report: ImportReport }) {
  return warnings.map((warning) => (
    <p key={warning} class="receipt-warning small">
      <Icon name="warn" />
      <span>
        <b>{words.warning}.</b> {warning}
      </span>
    </p>
  ));
}

function LeftOut({ made }: { made: ConvertedLines | undefined }) {
  return made?.leftOut.map(({ what, count: number, names }) => (
    <p key={what} class="dim small breaks">
      {words.leftOut(what, number, names)}
    </p>
  ));
}

interface ReportedProps {
  readonly report: ImportReport;
  /** File or row of each line. */
  readonly places: readonly string[] | undefined;
}

function ReportedLines({ report: { errors, invalid, notes = [] }, places }: ReportedProps) {
  const said = notes.map((line) => ({ line: line.line, text: (line.notes ?? []).join('; ') }));
  return (
    <>
      <Lines
        id="import-errors"
        title={words.errors}
        lines={errors.map(({ line, error = '' }) => ({ line, text: error }))}
        places={places}
        total={invalid}
      />
      <Lines id="import-notes" title={words.notes} lines={said} places={places} total={said.length} />
    </>
  );
}

interface LinesProps {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
  readonly places: readonly string[] | undefined;
  readonly total: number;
}

function Lines({ id, title, lines, places, total }: LinesProps) {
  if (lines.length === 0) return null;
  const shown = lines.slice(0, SHOWN_ERRORS);
  return (
    <div class="stack small-gap">
      <h4 class="label" id={id}>
        {title}
      </h4>
      <ul class="errors" tabIndex={0} aria-labelledby={id}>
        {shown.map(({ line, text }) => (
          <li key={line}>
            <span class="num">{places?.[line - 1] ?? words.line(line)}</span>
            <span>{text}</span>
          </li>
        ))}
        {total > shown.length && <li class="dim">{words.moreErrors(total - shown.length)}</li>}
      </ul>
    </div>
  );
}

function Namespace({ chosen, onChoose }: { chosen: string; onChoose: (namespace: string) => void }) {
  const { namespaces } = useServer();
  return (
    <div class="field">
      <label for="import-namespace">{words.namespace}</label>
      <Select
        id="import-namespace"
        value={chosen}
        options={[{ value: '', label: words.own }, ...namespaceOptions(namespaces)]}
        onChoose={onChoose}
      />
    </div>
  );
}
