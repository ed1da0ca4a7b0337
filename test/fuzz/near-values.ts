/** Values that are nearly what a schema takes: one or two things in them are wrong. */
import * as fc from 'fast-check';
import { hostileName, hostileValue } from './hostile.ts';

type Node = Record<string, unknown> | unknown[];
interface Place {
  readonly holder: Node;
  readonly key: string;
}

/** One thing that is done to a value: where (as a share of all places), what, and with what. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'leave out', 'add', 'wrap', 'unwrap', 'as text', 'twice'),
  value: hostileValue,
  name: hostileName,
});
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

/** What `values` gives, with one or two changes. */
export function nearly(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.array(change, { minLength: 1, maxLength: 2 })).map(([value, changes]) => {
    const root = { it: structuredClone(value) };
    for (const one of changes) carryOut(one, root);
    return root.it;
  });
}

function carryOut({ at, how, value, name }: Change, root: { it: unknown }): void {
  const places = placesIn(root);
  const { holder, key } = places[Math.floor(at * places.length)]!;
  const there: unknown = Reflect.get(holder, key);
  const put = (next: unknown, where: Node = holder, by: string = key): void =>
    void Object.defineProperty(where, by, { value: next, enumerable: true, configurable: true, writable: true });
  switch (how) {
    case 'replace':
      return put(value);
    case 'leave out':
      return key === 'it' ? put({}) : void Reflect.deleteProperty(holder, key);
    case 'add':
      return isObject(there) ? put(value, there, name) : put({ [name]: value });
    case 'wrap':
      return put([there]);
    case 'unwrap':
      return put(Array.isArray(there) ? there[0] : isObject(there) ? Object.values(there)[0] : value);
    case 'as text':
      return put(typeof there === 'string' ? Number(there) || 0 : (JSON.stringify(there) ?? ''));
    case 'twice':
      return put(Array.isArray(there) ? [...(there as unknown[]), ...(there as unknown[])] : [there, there]);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function placesIn(holder: Node): Place[] {
  const found: Place[] = [];
  const waiting: Node[] = [holder];
  for (const node of waiting) {
    for (const key of Object.keys(node)) {
      found.push({ holder: node, key });
      const value: unknown = Reflect.get(node, key);
      if (typeof value === 'object' && value !== null && found.length < 200) waiting.push(value as Node);
    }
  }
  return found;
}
