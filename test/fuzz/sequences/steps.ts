/** What is done to a store, step by step. Every number in a step is a share of what there is to choose from, so that any step fits any store. */
import * as fc from 'fast-check';

/** Made-up words, far from each other and from any other word, so that no stem or misspelling joins two of them. */
export const WORDS = ['quorvit', 'zambulk', 'fleppish', 'grontamel', 'wexadoor', 'ibbyluc', 'pasknort', 'hulvedine'] as const;
const NAMESPACES = ['test', 'global', 'owner/repo', "it's"] as const;
const TAGS = ['deploy', 'draft', "it's", 'Ünï', 'a,b', '[x'] as const;
const TYPES = ['supersedes', 'supersedes', 'references', 'elaborates'] as const;
const SORTS = ['createdAt', '-createdAt', 'importance', '-importance'] as const;

const one = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const word = fc.constantFrom(...WORDS);
const namespace = fc.constantFrom(...NAMESPACES);
const tags = fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 });
const maybe = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(some, { nil: undefined, freq: 2 });

/** Two words, so few that the same text comes again. One is written in two ways that are the same. */
const content = fc
  .tuple(word, fc.constantFrom('stands alone', 'comes with Ana', 'goes to caf\u00e9', 'goes to cafe\u0301'))
  .map((parts) => parts.join(' '));
const facts = {
  content,
  namespace,
  container: maybe(fc.constantFrom('box', 'test', 'owner/repo')),
  tags,
  priority: fc.constantFrom('low', 'normal', 'high'),
  // None of these follows from priority and tags, so that they stay as if they were set by hand.
  importance: fc.constantFrom(0, 0.13, 0.37, 0.61, 0.94, 1),
};
/** Entries by ids, or by a condition. */
const selection = fc.oneof(
  fc.record({ ids: fc.array(one, { minLength: 1, maxLength: 4 }) }),
  fc.record({ namespace }),
  fc.record({ tag: fc.constantFrom(...TAGS) }),
  fc.record({ priority: facts.priority, namespace }),
  fc.record({ importance: fc.tuple(facts.importance, facts.importance).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })) }),
);
export type Selected = typeof selection extends fc.Arbitrary<infer S> ? S : never;

const save = fc.record({ kind: fc.constant('save' as const), ...facts });
const patch = fc.record({
  kind: fc.constant('patch' as const),
  at: one,
  facts: fc.record(facts, { requiredKeys: [] }).filter((given) => Object.values(given).some((value) => value !== undefined)),
});
const remove = fc.record({ kind: fc.constant('remove' as const), at: one });
const undo = fc.record({ kind: fc.constant('undo' as const), at: one });
const forget = fc.record({ kind: fc.constant('forget' as const), selection, permanent: fc.boolean() });
const restore = fc.record({
  kind: fc.constant('restore' as const),
  by: fc.constantFrom('id', 'run', 'since'),
  at: one,
  dryRun: fc.boolean(),
});
const tag = fc.record({ kind: fc.constant('tag' as const), selection, add: tags, remove: tags, dryRun: fc.boolean() });
const relate = fc.record({
  kind: fc.constant('relate' as const),
  from: one,
  to: one,
  type: fc.constantFrom(...TYPES),
  strength: fc.constantFrom(0, 0.5, 1),
});
const unrelate = fc.record({ kind: fc.constant('unrelate' as const), at: one });
const move = fc.record({ kind: fc.constant('move' as const), selection, to: namespace, dryRun: fc.boolean() });
const rename = fc.record({ kind: fc.constant('rename' as const), from: namespace, to: fc.oneof(namespace, fc.constant('new name')) });
const merge = fc.record({
  kind: fc.constant('merge' as const),
  from: fc.uniqueArray(fc.constantFrom(...NAMESPACES, 'new name'), { minLength: 1, maxLength: 2 }),
  into: namespace,
});
const importing = fc.record({
  kind: fc.constant('import' as const),
  lines: fc.array(fc.record(facts), { minLength: 1, maxLength: 4 }),
  broken: fc.boolean(),
  strict: fc.boolean(),
});
const exportAgain = fc.record({ kind: fc.constant('export' as const) });
const restart = fc.record({ kind: fc.constant('restart' as const), merged: fc.boolean(), background: fc.boolean() });
/** Conditions of which a few at a time are given: with all of them nothing would be left. */
const seldom = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some });
const seldomTags = fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: tags });
const list = fc.record({
  kind: fc.constant('list' as const),
  namespace: seldom(namespace),
  tags: seldomTags,
  container: seldom(fc.constantFrom('box', 'test')),
  priority: seldom(facts.priority),
  source: seldom(fc.constantFrom('api', 'import')),
  min: seldom(facts.importance),
  max: seldom(facts.importance),
  after: seldom(one),
  before: seldom(one),
  sort: fc.constantFrom(...SORTS),
  limit: fc.integer({ min: 1, max: 7 }),
});
const find = fc.record({
  kind: fc.constant('find' as const),
  by: fc.constantFrom('recall', 'search'),
  word,
  mode: fc.constantFrom('keyword', 'hybrid', 'vector'),
  namespace: maybe(namespace),
  includeGlobal: fc.boolean(),
  includeSuperseded: fc.boolean(),
  container: seldom(fc.constantFrom('box', 'test')),
  tags: seldomTags,
  min: seldom(facts.importance),
});

/** Any step; saving comes most often, so that there is something to work on. */
export const step = fc.oneof(
  { weight: 16, arbitrary: save },
  { weight: 4, arbitrary: patch },
  ...[remove, undo, forget, restore, tag, relate, unrelate, move, importing].map((arbitrary) => ({ weight: 2, arbitrary })),
  ...[rename, merge, exportAgain, restart].map((arbitrary) => ({ weight: 1, arbitrary })),
  ...[list, find].map((arbitrary) => ({ weight: 5, arbitrary })),
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
export type StepOf<K extends Step['kind']> = Extract<Step, { readonly kind: K }>;
