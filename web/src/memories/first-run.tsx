import type { ComponentChildren } from 'preact';
import { go } from '../address.ts';
import { selectedFiles, droppedFiles, IMPORTED, type ChosenFiles } from '../admin/chosen-files.ts';
import { offerFile } from '../admin/offered-file.ts';
import { admin } from '../api/administration.ts';
import { Command } from '../parts/command.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Paragraph } from '../parts/inline-text.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { FirstMemory } from './first-memory.tsx';
import { firstTexts } from './first-texts.ts';

export function FirstRun() {
  const { health, mayWrite } = useServer();
  const mayAdminister = mayWrite && health !== undefined && health.key.namespace === undefined;
  const { value: clients } = useLoaded(
    (signal) => (mayAdminister ? admin.administration.integrations({ signal }) : Promise.resolve(undefined)),
    {
      about: String(mayAdminister),
      follows: false,
    },
  );
  // If the key may not ask or the server does not know: assumes an installation on the PATH.
  const program = clients?.program ?? 'lore';
  const found = [...new Set(clients?.integrations.filter((client) => client.found).map(({ title }) => title))];
  const first = firstTexts;
  return (
    <div class="first">
      <header class="first-h">
        <div>
          <h1>
            {first.title}
            <br />
            {first.title2}
          </h1>
          <p class="first-lead">{first.lead}</p>
        </div>
        <Illustration />
      </header>
      <section aria-labelledby="ways">
        <h2 class="label" id="ways">
          {first.ways}
        </h2>
        <div class="ways mt">
          {mayWrite && (
            <Way icon="plus" title={first.here.title} text={first.here.text}>
              <FirstMemory />
            </Way>
          )}
          <Way icon="plug" title={first.agent.title} text={`${first.agent.text} ${first.agent.found(found)}`.trim()}>
            <Command text={`${program} setup --all`} />
          </Way>
          <Bring program={program} mayImport={mayAdminister} />
        </div>
      </section>
      <section class="first-more" aria-label={first.demo}>
        <p class="dim small">{first.demo}</p>
        <Command text={`${program} demo`} />
      </section>
      {health !== undefined && (
        <p class="dim small">
          {first.ready(location.host, health.config.embeddingModel, health.config.namespace)} <a href="/docs">{texts.apiDocs}</a>
        </p>
      )}
    </div>
  );
}

/** Import from other programs: a file is dropped or chosen here, other stores are imported by a command. */
function Bring({ program, mayImport }: { readonly program: string; readonly mayImport: boolean }) {
  const { bring } = firstTexts;
  const take = (files: ChosenFiles | null | undefined): void => {
    if (!files) return;
    offerFile(files);
    go({ view: 'admin', part: 'data' });
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    take(event.dataTransfer && droppedFiles(event.dataTransfer));
  };
  return (
    <Way icon="upload" title={bring.title} text={bring.text} {...(mayImport && { onDrop: drop })}>
      {mayImport && (
        <span class="btn file">
          <label for="first-file">{bring.choose}</label>
          <input
            id="first-file"
            type="file"
            multiple
            accept={IMPORTED}
            onChange={(event) => take(selectedFiles(event.currentTarget.files))}
          />
        </span>
      )}
      <Command text={`${program} import ${bring.path}`} />
    </Way>
  );
}

interface WayProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
  readonly onDrop?: (event: DragEvent) => void;
}

function Way({ icon, title, text, children, onDrop }: WayProps) {
  return (
    <section class="way" aria-label={title} onDragOver={onDrop && ((event) => event.preventDefault())} onDrop={onDrop}>
      <Icon name={icon} />
      <h3>{title}</h3>
      <Paragraph text={text} />
      {children}
    </section>
  );
}

function Illustration() {
  return (
    <svg class="ill" viewBox="0 0 300 190" aria-hidden="true">
      <g class="ill-l">
        <path d="M72 118C104 92 128 84 152 84M152 84c36 0 60 16 84 44M152 84c14-24 36-36 62-40M72 118c22 22 44 32 70 36" fill="none" />
      </g>
      <circle class="ill-n" cx="72" cy="118" r="9" />
      <circle class="ill-n" cx="236" cy="128" r="11" />
      <circle class="ill-n" cx="142" cy="154" r="7" />
      <circle class="ill-n" cx="214" cy="44" r="8" />
      <circle class="ill-h" cx="152" cy="84" r="30" />
      <circle class="ill-on" cx="152" cy="84" r="15" />
      <path class="ill-t" d="M30 150h26M30 158h16M250 152h30M250 160h20M230 36h34M230 44h22M166 160h30M166 168h18" />
    </svg>
  );
}
