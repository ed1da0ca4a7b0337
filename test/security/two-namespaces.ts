/** A store that several parties share, and everything by which one of them could name what belongs to another. */
import type { TestServer } from '../helpers/server.ts';

/** The namespace that the tested keys are bound to. */
export const OURS = 'ours';

/** What a caller may put into a request. Two of them differ in nothing but whether anything of that name exists. */
export interface Names {
  readonly namespace: string;
  /** With which it begins. */
  readonly prefix: string;
  readonly container: string;
  readonly tag: string;
  /** Stands in contents. */
  readonly word: string;
  /** Named in contents, so an entity, and a file of a source. */
  readonly path: string;
  readonly root: string;
  readonly session: string;
  readonly client: string;
  /** Of a request that was made once. */
  readonly idempotencyKey: string;
  readonly id: string;
  readonly otherId: string;
  readonly archivedId: string;
  /** Of an entry that was moved away from ours. */
  readonly movedId: string;
  readonly run: string;
  readonly backup: string;
  /** The id of an event. */
  readonly event: string;
  readonly token: string;
}

export interface World {
  /** Of entries in `ours`. */
  readonly own: readonly [string, string];
  /** In `theirs`. */
  readonly real: Names;
  /** Nowhere. */
  readonly ghost: Names;
  /** Words, names and ids of other namespaces that no request names: they may be in no answer. */
  readonly hidden: readonly string[];
}

type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => ReturnType<TestServer['call']>;

/** What one party keeps: entries with every kind of name, a relation, an archive, a history, a captured session and a file. */
async function fill(ask: Ask, party: ReturnType<typeof namesOf>) {
  const { namespace, container, tag, word, path, root, session, client, idempotencyKey } = party;
  const saved = async (content: string, headers?: Record<string, string>): Promise<string> => {
    const { body } = await ask('POST', '/api/save', { content, namespace, container, tags: [tag] }, headers);
    return body.ids[0]!;
  };
  const id = await saved(`The ${word} of the harbour is described in ${path} by the crew`);
  const otherId = await saved(`Another ${word} lies under the old lighthouse`, { 'idempotency-key': idempotencyKey });
  const archivedId = await saved(`A ${word} that was put away for the winter`);
  await ask('POST', '/api/relations', { sourceId: id, targetId: otherId, type: 'elaborates' });
  await ask('PATCH', `/api/${otherId}`, { content: `Another ${word} lies under the new lighthouse` });
  const { body: looked } = await ask('POST', '/api/forget', { ids: [archivedId] });
  const { body: forgotten } = await ask('POST', '/api/forget', { ids: [archivedId], confirm: looked.token });
  const { body: again } = await ask('POST', '/api/forget', { ids: [otherId] });
  const text = `We decided to use the ${word} instead of the crane for the harbour service.`;
  await ask('POST', '/api/capture', { client, session, event: 'prompt', text, namespace });
  const file = { path, hash: 'a1', passages: [{ content: `The file tells of the ${word} at length`, start: 1, end: 2 }] };
  await ask('POST', '/api/sources', { kind: 'ingest', root, namespace, files: [file] });
  // Waits until the event was looked at.
  await ask('POST', '/api/capture/undo', { session, dryRun: true });
  return { id, otherId, archivedId, run: forgotten.run, token: again.token };
}

/** Fills the store of `server` through its key `owner`. */
export async function fillWorld(server: TestServer): Promise<World> {
  const owner = server.keys.get('owner')!;
  const ask: Ask = async (method, path, body, headers = {}) => {
    const answer = await server.call(method, path, { ...(body !== undefined && { body }), headers: { 'x-api-key': owner, ...headers } });
    if (answer.status !== 200) throw new Error(`The world could not be made: ${method} ${path} answered ${answer.status} ${answer.text}`);
    return answer;
  };
  const ours = { container: 'our-box', tag: 'our-tag', word: 'kettle', path: 'src/ours.ts', root: 'our-root', idempotencyKey: 'our-key' };
  const { id, otherId } = await fill(ask, { ...namesOf('our'), namespace: OURS, ...ours, session: 'our-session', client: 'claude' });
  const theirs = namesOf('real');
  const made = await fill(ask, theirs);
  const moved = (await ask('POST', '/api/save', { content: 'The parcel went to them', namespace: OURS, tags: ['parcel'] })).body.ids[0]!;
  await ask('PATCH', `/api/${moved}`, { namespace: theirs.namespace });
  const secret = namesOf('hidden');
  const hidden = await fill(ask, secret);
  await ask('POST', '/api/save', { content: 'The globalhidden word of everyone', global: true, tags: ['globalhidden-tag'] });
  await ask('POST', '/api/save', {
    content: 'Beside it stands theirhidden in silence',
    namespace: theirs.namespace,
    tags: ['theirhidden-tag'],
  });
  await ask('POST', '/api/compact', { dryRun: false });
  const { body: backup } = await ask('POST', '/api/backups', {});
  const moment = Date.now();
  const place = (name: string): string => `0000${name}-0000-7000-8000-00000000000`;
  return {
    own: [id, otherId],
    real: { ...theirs, ...made, run: made.run, movedId: moved, backup: backup.backup.name, event: `${moment}-1` },
    ghost: {
      ...namesOf('ghst'),
      id: `${place('0001')}1`,
      otherId: `${place('0002')}2`,
      archivedId: `${place('0003')}3`,
      movedId: `${place('0004')}4`,
      run: '7d3ab1a2-53a8-4ed7-9b1f-1f5b8bb05a01',
      backup: '2020-01-31T12-00-00.000Z',
      event: `${moment}-1`,
      token: made.token.replace(/\w{4}$/, 'abcd'),
    },
    hidden: wordsOf(secret).concat(hidden.id, hidden.otherId, hidden.archivedId, hidden.run ?? [], 'theirhidden', 'globalhidden'),
  };
}

function namesOf(kind: string) {
  return {
    namespace: `${kind}-owner/harbour`,
    prefix: `${kind}-own`,
    container: `${kind}-box`,
    tag: `${kind}-tag`,
    word: `${kind}quagmire`,
    path: `src/${kind}-quay.ts`,
    root: `${kind}-root`,
    session: `${kind}-session`,
    client: `${kind}-agent`,
    idempotencyKey: `${kind}-key`,
  };
}

/** Every name as it may stand in an answer: those of a party, to look for. */
export function wordsOf(names: Partial<Names>): string[] {
  const { event: _, token: __, ...words } = names;
  return Object.values(words);
}
