import type { ComponentChildren } from 'preact';
import { Command } from '../parts/command.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { searchTexts } from './texts.ts';

/** What a person sees in an empty store. */
export function FirstRun() {
  const { health, mayWrite } = useServer();
  const { first } = searchTexts;
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
          <div class="row mt">
            {mayWrite && (
              <Link class="btn btn--primary btn--lg" to={{ view: 'save' }}>
                {texts.views.save}
              </Link>
            )}
            <a class="btn btn--lg" href="/docs">
              {texts.apiDocs}
            </a>
          </div>
        </div>
        <Illustration />
      </header>
      <section aria-labelledby="ways">
        <h2 class="label" id="ways">
          {first.ways}
        </h2>
        <div class="ways mt">
          <Way icon="term" title={first.shell.title} text={first.shell.text}>
            <Command text='lore save "The spare key is with Ana"' />
          </Way>
          <Way icon="plug" title={first.program.title} text={first.program.text}>
            <Command text={`curl ${location.origin}/api/save -H 'content-type: application/json' -d '{"content":"…"}'`} />
          </Way>
          <Way icon="upload" title={first.bring.title} text={first.bring.text}>
            <Command text="lore import notes.jsonl" />
          </Way>
        </div>
      </section>
      {health !== undefined && <p class="dim small">{first.ready(location.host, health.config.embeddingModel, health.config.namespace)}</p>}
    </div>
  );
}

function Way({ icon, title, text, children }: { icon: IconName; title: string; text: string; children: ComponentChildren }) {
  return (
    <section class="way">
      <Icon name={icon} />
      <h3>{title}</h3>
      <p>{text}</p>
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
