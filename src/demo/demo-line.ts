import { PRIORITIES, SOURCES, type Priority, type Source } from '../memory/vocabulary.ts';
import { RELATION_TYPES, type RelationType } from '../memory/relation.ts';

/**
 * One memory of the demo: `=key daysAgo HH:MM facts… | text`, or an array of that and the further lines of a long text. Facts are a priority,
 * a source, `@container`, `#tag`, and `type:key:strength` for a relation to another memory.
 */
export type DemoLine = string | readonly [string, ...string[]];

export interface DemoMemory {
  /** Name that relations use. */
  readonly key: string;
  readonly content: string;
  readonly daysAgo: number;
  readonly minuteOfDay: number;
  readonly priority: Priority;
  readonly source: Source;
  readonly container: string | undefined;
  readonly tags: readonly string[];
  readonly relations: readonly { readonly type: RelationType; readonly to: string; readonly strength: number }[];
}

const HEAD = /^=(?<key>[a-z0-9-]+) (?<days>\d+) (?<hour>\d\d):(?<minute>\d\d)(?: (?<facts>.*))?$/;
const MINUTES = 60;

/** Parses one line. Throws on an unknown fact, so that tests find typing errors. */
export function readDemoLine(line: DemoLine): DemoMemory {
  const [first, ...more] = typeof line === 'string' ? [line] : line;
  const bar = first.indexOf(' | ');
  const { key, days, hour, minute, facts = '' } = HEAD.exec(first.slice(0, bar))?.groups ?? {};
  if (bar === -1 || key === undefined) throw new TypeError(`Not a memory of the demo: ${first.slice(0, 60)}`);
  const words = facts.split(' ').filter((word) => word !== '');
  const given = factsOf(words);
  if (given.count !== words.length) throw new TypeError(`An unknown word among the facts of ${key}: ${facts}`);
  return {
    key,
    content: [first.slice(bar + 3), ...more].join('\n'),
    daysAgo: Number(days),
    minuteOfDay: Number(hour) * MINUTES + Number(minute),
    ...given.facts,
  };
}

type Facts = Pick<DemoMemory, 'priority' | 'source' | 'container' | 'tags' | 'relations'>;

function factsOf(words: readonly string[]): { readonly facts: Facts; readonly count: number } {
  const priority = PRIORITIES.find((one) => words.includes(one));
  const source = SOURCES.find((one) => words.includes(one));
  const tags = words.filter((word) => word.startsWith('#')).map((word) => word.slice(1));
  const container = words.find((word) => word.startsWith('@'))?.slice(1);
  const relations = words.flatMap((word) => {
    const [name, to = '', strength = '0.7'] = word.split(':');
    const type = RELATION_TYPES.find((one) => one === name);
    return type === undefined ? [] : [{ type, to, strength: Number(strength) }];
  });
  const single = [priority, source, container].filter((one) => one !== undefined).length;
  const facts = { priority: priority ?? 'normal', source: source ?? 'cli', container, tags, relations } as const;
  return { facts, count: single + tags.length + relations.length };
}
