// A seeded corpus of developers' notes: sentences from patterns over word lists, with identifiers, paths and numbers. The same seed and
// count give the same entries on every machine.

/** Mulberry32 (Tommy Ettinger, public domain): a small seeded generator of numbers in 0..1. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const SUBJECTS =
  `billing worker|checkout page|search index|session cache|release train|staging cluster|webhook sender|login form|export job|mobile client|rate limiter|image resizer|audit log|feature flag|nightly backup|payment gateway|mail queue|schema migration|access token|error budget`.split(
    '|',
  );
const VERBS =
  `retries|drops|caches|validates|blocks|encrypts|duplicates|throttles|rejects|archives|compresses|rebuilds|forwards|ignores|reorders|truncates|locks|expires|replays|rewrites`.split(
    '|',
  );
const OBJECTS =
  `incoming orders|stale sessions|partial uploads|large invoices|unsigned requests|old snapshots|failed deliveries|user avatars|tenant settings|duplicate events|long sentences|expired coupons|database rows|queued messages|broken links|api responses|test fixtures|log lines|vector rows|shipping labels`.split(
    '|',
  );
const REASONS =
  `because the partner times out after thirty seconds|since the March outage|to keep the error budget|as agreed with the platform team|because two regions disagree on clocks|so that nobody is paged at night|since the index grew past memory|to satisfy the auditors|because the vendor never fixed it|so that a deploy needs no downtime`.split(
    '|',
  );
const KINDS = ['decision', 'bug', 'preference', 'command', 'config', 'person', 'error', 'howto'];
const PARTS = `user order token cache index batch cursor ledger tenant widget signal bucket shard lease quota digest`.split(' ');

const camel = (words) => words.map((word, nth) => (nth === 0 ? word : word[0].toUpperCase() + word.slice(1))).join('');

/** `count` entries of about 200 characters in 10 namespaces of falling size, one at a time. */
export function* entries(count, seed = 42) {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const namespace = () => {
    // Zipf over ten: the first namespace holds about a third.
    let share = next() * 2.929;
    for (let nth = 1; nth < 10; nth += 1) if ((share -= 1 / nth) < 0) return `bench/ns-${nth - 1}`;
    return 'bench/ns-9';
  };
  for (let nth = 0; nth < count; nth += 1) {
    const identifier = camel([pick(PARTS), pick(PARTS), pick(PARTS)]);
    const path = `src/${pick(PARTS)}/${pick(PARTS)}_${pick(PARTS)}.ts`;
    const content =
      `The ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)} ${pick(REASONS)}. ` +
      `See ${identifier} in ${path}:${Math.floor(next() * 900)} and ticket OPS-${nth}; it also ${pick(VERBS)} ${pick(OBJECTS)} of the ${pick(SUBJECTS)}.`;
    yield { content, namespace: namespace(), tags: [pick(KINDS), ...(next() < 0.3 ? [pick(PARTS)] : [])] };
  }
}

/** Questions whose one right answer is known: telling words of one of the entries, in order. */
export function questions(known, count, seed = 7) {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const entry = known[Math.floor(next() * known.length)];
    const words = entry.content.split(/[^\w/.-]+/).filter((word) => word.length > 4);
    const kept = words.filter((word) => next() < 0.6 || word.startsWith('OPS-'));
    return { query: kept.slice(0, 12).join(' '), namespace: entry.namespace, content: entry.content };
  });
}
