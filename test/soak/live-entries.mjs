// What the clients of a run know of the entries of the store: all that was acknowledged.

/** Longest part of a text in a message. */
const SHOWN_CHARS = 80;

/** One entry as it was acknowledged. `changes` is odd while one is under way. */
export function liveEntry({ content, namespace, tags }, id) {
  return { id, content, namespace, tags, changes: 0, isGone: false };
}

export const isChanging = ({ changes }) => changes % 2 === 1;

/** Notes that a change of an entry begins; gives what to call with what is acknowledged of it, or with nothing where it was refused. */
export function beginChange(entry) {
  entry.changes += 1;
  return (acknowledged = {}) => {
    Object.assign(entry, acknowledged);
    entry.changes += 1;
  };
}

/** Begins a time in which an answer may be held against the entry; gives whether it stayed as it was until now. */
export function watch(entry) {
  const { changes } = entry;
  return () => !entry.isGone && !isChanging(entry) && entry.changes === changes;
}

/** What is wrong with an entry of an answer. Undefined where it is as it was acknowledged. */
export function differenceOf(known, { content, metadata }) {
  if (content !== known.content) return `${known.id} says "${shorten(content)}" and not "${shorten(known.content)}"`;
  const [has, wanted] = [metadata.tags, known.tags].map((tags) => tags.toSorted().join());
  if (has !== wanted) return `${known.id} has the tags ${has} and not ${wanted}`;
  return metadata.namespace === known.namespace ? undefined : `${known.id} is in ${metadata.namespace} and not in ${known.namespace}`;
}

/** How an export differs from what was acknowledged, where nothing is under way. */
export function differencesOf(live, exported) {
  const missing = new Map(live.map((entry) => [entry.id, entry]));
  const differences = exported.flatMap((entry) => {
    const known = missing.get(entry.id);
    missing.delete(entry.id);
    return known === undefined ? [`${entry.id} is there, removed, unknown or twice`] : (differenceOf(known, entry) ?? []);
  });
  return [...differences, ...[...missing.keys()].map((id) => `${id} is missing`)];
}

function shorten(text) {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
