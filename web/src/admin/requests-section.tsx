import { useState } from 'preact/hooks';
import { admin, type AnsweredRequest } from '../api/administration.ts';
import { dateFormat, duration } from '../parts/formats.ts';
import { Moment } from '../parts/moment.tsx';
import { Segments } from '../parts/segments.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { TableBox } from '../parts/table-box.tsx';
import { Section, Refused, PartFailure } from './section.tsx';
import { adminTexts } from './texts.ts';
import type { Overview } from './use-overview.ts';

const words = adminTexts.requests;
const LEAST_FAILED = 400;
/** Rows shown at first: the newest matter most. */
const SHOWN = 100;
const seconds = dateFormat({ timeStyle: 'medium' });

const isFailed = ({ status, aborted }: AnsweredRequest): boolean => status >= LEAST_FAILED || aborted === true;

/** The requests of the last hour and their responses. `checked` counts manual reloads. */
export function RequestsSection({ overview: { mayAdminister }, checked }: { overview: Overview; checked: number }) {
  const load = (signal: AbortSignal): Promise<readonly AnsweredRequest[]> =>
    mayAdminister ? admin.administration.requests({ signal }) : Promise.resolve([]);
  const { last, error, again } = useLoaded(load, { about: `${checked} ${mayAdminister}`, follows: false });
  const all = last ?? [];
  const isQuiet = mayAdminister && error === undefined;
  return (
    <Section part="requests" folded={isQuiet ? words.sum(all.length, all.filter(isFailed).length) : undefined}>
      <p class="note">{words.lead}</p>
      {error !== undefined ? <PartFailure error={error} onRetry={again} /> : mayAdminister ? <Requests all={all} /> : <Refused />}
    </Section>
  );
}

function Requests({ all }: { all: readonly AnsweredRequest[] }) {
  const [which, choose] = useState<keyof typeof words.which>('all');
  const shown = which === 'all' ? all : all.filter(isFailed);
  return (
    <>
      <div class="row">
        <Segments
          legend={words.choose}
          name="requests-which"
          value={which}
          options={(['all', 'failed'] as const).map((value) => ({ value, label: words.which[value] }))}
          onChoose={choose}
        />
      </div>
      {shown.length === 0 ? (
        <p class="dim small">{words.none[which]}</p>
      ) : (
        <TableBox class="requests" label={words.table} columns={words.columns}>
          {shown.slice(0, SHOWN).map((request) => (
            <Row key={`${request.requestId} ${request.at}`} request={request} />
          ))}
        </TableBox>
      )}
      {shown.length > SHOWN && <p class="dim small">{words.newest(SHOWN, shown.length)}</p>}
    </>
  );
}

function Row({ request }: { request: AnsweredRequest }) {
  const { at, requestId, method, path, status, ms, key, aborted } = request;
  return (
    <tr>
      <td>
        <Moment of={at}>{seconds.format(new Date(at))}</Moment>
      </td>
      <td class="mono" title={words.id(requestId)}>
        {method} {path}
      </td>
      <td>
        <span class={isFailed(request) ? 'status status--warn' : 'status'}>
          {status}
          {aborted === true && ` ${words.aborted}`}
        </span>
      </td>
      <td class="num">{duration(ms)}</td>
      <td class="dim">{key}</td>
    </tr>
  );
}
