// What clients ask of the server, and what its answers must hold.
import { beginChange, differenceOf, isChanging, liveEntry, watch } from './live-entries.mjs';

/**
 * From this limit on a hybrid search must hold the entry whose own word was asked for: it was among the first four of 450. Asked for by words that
 * others hold too, it may stand behind those that are nearer by meaning, one in ten times with the random weights of the tiny model.
 */
const HYBRID_LIMIT = 10;
/**
 * Of an entry that is longer a word counts for less (BM25): where the query is not its own word, shorter ones that hold most of the words come before it.
 */
const SHORT = 400;
const REFUSED = 'refused';
const UNJUDGED = 'changed meanwhile, not judged';

/**
 * Operations by name. Each rejects where the answer is wrong, and resolves to a word where it was no plain success. `live` are the entries that
 * are there, oldest first; `fresh` makes new ones; `next` gives numbers in 0..1.
 */
export function operationsOn({ server, json, live, fresh, next, target }) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const some = () => pick(live);
  return {
    async save() {
      const entry = fresh();
      if (next() < 0.1) entry.content += ` ${'Further words follow. '.repeat(60)}`;
      const { ids, outcomes } = await json('POST', '/api/save', entry);
      if (outcomes[0].status !== 'stored') throw new Error(`a new text is ${outcomes[0].status}`);
      live.push(liveEntry(entry, ids[0]));
    },
    async remove() {
      const [oldest] = live.splice(0, 1);
      oldest.isGone = true;
      await json('DELETE', `/api/${oldest.id}`);
    },
    async update() {
      const entry = some();
      // Of two changes at once nobody knows which is the later one.
      if (isChanging(entry)) return 'left out, another one is under way';
      const { content, tags } = fresh();
      const change = next() < 0.5 ? { content } : { tags };
      const end = beginChange(entry);
      const isDone = await json('PATCH', `/api/${entry.id}`, change).then(() => true, unlessGone(entry));
      end(isDone ? change : {});
      return isDone ? undefined : REFUSED;
    },
    async get() {
      const entry = some();
      const isSame = watch(entry);
      const answer = await json('GET', `/api/${entry.id}`).catch(unlessGone(entry));
      if (answer === undefined) return REFUSED;
      if (!isSame()) return UNJUDGED;
      const difference = differenceOf(entry, answer.entry);
      if (difference !== undefined) throw new Error(difference);
    },
    async list() {
      const limit = pick([10, 100]);
      const { entries } = await json('GET', `/api/list?allNamespaces=true&limit=${limit}&offset=${Math.floor((next() * target) / 2)}`);
      if (entries.length === 0 || entries.length > limit) throw new Error(`${entries.length} entries on a page of ${limit}`);
    },
    async stats() {
      await json('GET', pick(['/api/stats', '/api/health', '/api/namespaces', '/api/timeline', '/api/entities?limit=20']));
    },
    mcp: () => askMcp(server().url),
    async 'empty save'() {
      const isTaken = await json('POST', '/api/save', { content: '' }).then(() => true, unless(400));
      if (isTaken) throw new Error('a save without a text is taken');
      return REFUSED;
    },
    hybrid: () => recall('hybrid', some()),
    vector: () => recall('vector', some()),
    keyword: () => recall('keyword', some()),
  };

  async function recall(searchMode, entry) {
    const { id, content, namespace } = entry;
    const isSame = watch(entry);
    const isByOwnWord = next() < 0.5;
    const query = isByOwnWord ? ownWord(content) : content.split(' ').slice(2, 10).join(' ');
    const limit = pick([5, 10, 50]);
    const isPromised = {
      vector: false,
      keyword: isByOwnWord || content.length <= SHORT,
      hybrid: isByOwnWord && limit >= HYBRID_LIMIT,
    }[searchMode];
    const { results } = await json('POST', '/api/recall', { query, namespace, searchMode, limit });
    const strangers = results.filter((result) => result.entry.metadata.namespace !== namespace);
    if (results.length > limit || strangers.length > 0) throw new Error(`${results.length} of ${limit}, ${strangers.length} of elsewhere`);
    if (!isSame()) return UNJUDGED;
    if (!isPromised || results.some((result) => result.entry.id === id)) return undefined;
    // A search leaves out what a newer entry takes the place of, which the server may find out at any time.
    const { entry: present } = await json('GET', `/api/${id}`).catch(() => ({ entry: undefined }));
    if (present?.metadata.superseded === true || !isSame()) return UNJUDGED;
    throw new Error(`"${query}" does not find ${id} among the first ${limit}`);
  }
}

/** The ticket, which no other entry holds. */
function ownWord(content) {
  return /OPS-\d+/.exec(content)[0];
}

/** One request of the Model Context Protocol, which makes a server of that protocol of its own. */
async function askMcp(url) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`POST /mcp: ${answer.status} ${text.slice(0, 200)}`);
}

/** Passes what was refused with this status; anything else goes on as it is. */
function unless(status) {
  return (error) => {
    if (error.status !== status) throw error;
  };
}

/** Passes that an entry was not found where it was removed meanwhile. */
function unlessGone(entry) {
  return (error) => {
    if (error.status !== 404 || !entry.isGone) throw error;
  };
}
