import { useEffect, useRef, useState } from 'preact/hooks';
import { Command } from '../parts/command.tsx';
import { Icon } from '../parts/icon.tsx';
import { dataTexts } from './data-texts.ts';
import { selectedFiles, droppedFiles, IMPORTED, type ChosenFiles } from './chosen-files.ts';
import { ImportFound, ImportReceipt } from './import-report.tsx';
import { takeOffered } from './offered-file.ts';
import { useImport, type ImportStep } from './use-import.ts';
import { Button } from '../parts/button.tsx';
import { Refused } from './section.tsx';
import type { Overview } from './use-overview.ts';

const words = dataTexts.import;
const FILE_FIELD = 'import-file';

export function ImportCard({ overview: { mayWrite, mayAdminister } }: { overview: Overview }) {
  const { step, namespace, into, take, store, stop, leave } = useImport();
  const title = useRef<HTMLHeadingElement>(null);
  const isStart = step.at === 'start';
  const wasStart = useRef(true);
  useEffect(() => {
    const offered = takeOffered();
    if (offered !== undefined) take(offered);
  }, []);
  // The pressed button disappears with its step, so the card gets the focus.
  useEffect(() => {
    if (!isStart) title.current?.focus({ preventScroll: true });
    else if (!wasStart.current) document.querySelector<HTMLElement>(`#${FILE_FIELD}`)?.focus({ preventScroll: true });
    wasStart.current = isStart;
  }, [step.at]);
  if (isStart && mayAdminister) return <Drop onGiven={take} />;
  return (
    <section class="card" aria-labelledby="import-title">
      <header class="row row--wrap card-h">
        <h3 id="import-title" ref={title} tabIndex={-1}>
          {words.title}
        </h3>
      </header>
      {!mayAdminister && <Refused write={!mayWrite} />}
      {step.at === 'sending' && <Sending step={step} onStop={stop} />}
      {step.at === 'found' && <ImportFound {...step} namespace={namespace} onNamespace={into} onStore={store} onLeave={leave} />}
      {step.at === 'done' && <ImportReceipt {...step} onLeave={leave} />}
      {step.at === 'other' && <OtherKind name={step.name} onLeave={leave} />}
      {step.at === 'failed' && <Failed message={step.message} onLeave={leave} />}
    </section>
  );
}

function Drop({ onGiven }: { onGiven: (given: ChosenFiles) => void }) {
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent, now: boolean): void => {
    event.preventDefault();
    setIsOver(now);
  };
  const drop = (event: DragEvent): void => {
    over(event, false);
    const held = event.dataTransfer && droppedFiles(event.dataTransfer);
    if (held) onGiven(held);
  };
  return (
    <section
      class={isOver ? 'drop drop--over' : 'drop'}
      aria-label={words.title}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={drop}
    >
      <Icon name="upload" />
      <span>
        <b>{words.drop}</b>
        {words.dropText}
      </span>
      <span class="btn btn--sm file">
        <label for={FILE_FIELD}>{words.choose}</label>
        <input
          id={FILE_FIELD}
          type="file"
          multiple
          accept={IMPORTED}
          onChange={(event) => {
            const files = selectedFiles(event.currentTarget.files);
            if (files !== undefined) onGiven(files);
          }}
        />
      </span>
      <span class="dim">{words.first}</span>
    </section>
  );
}

function Sending({ step: { name, dryRun, share }, onStop }: { step: Extract<ImportStep, { at: 'sending' }>; onStop: () => void }) {
  const said = dryRun ? words.checking(name) : words.importing(name);
  return (
    <>
      <div class="stack small-gap">
        <progress max={1} value={share} aria-label={said} />
        <p class="row row--between dim small">
          <span class="clip" title={name}>
            {said}
          </span>
          <span class="num">{share < 1 ? words.percent(share) : words.finishing}</span>
        </p>
      </div>
      <div class="row">
        <Button icon="x" label={words.stop} onClick={onStop} />
      </div>
    </>
  );
}

function OtherKind({ name, onLeave }: { name: string; onLeave: () => void }) {
  return (
    <>
      <p class="small">{words.otherStore}</p>
      <Command text={`lore import '${name.replaceAll("'", String.raw`'\''`)}'`} />
      <Another onLeave={onLeave} />
    </>
  );
}

function Failed({ message, onLeave }: { message: string; onLeave: () => void }) {
  return (
    <>
      <p class="error" role="alert">
        {message}
      </p>
      <Another onLeave={onLeave} />
    </>
  );
}

function Another({ onLeave }: { onLeave: () => void }) {
  return (
    <div class="row">
      <Button icon="upload" label={words.another} onClick={onLeave} />
    </div>
  );
}
