// The conformance suite takes `globSync` from `fs`, which Node 20 has not; it needs it only for files of its own that no scenario here reads.
import { register } from 'node:module';

const FS = `data:text/javascript,${encodeURIComponent("export * from 'node:fs'; export const globSync = () => [];")}`;
const HOOKS = `export const resolve = (name, context, next) => name === 'fs' && context.parentURL?.includes('/conformance/')
  ? { url: ${JSON.stringify(FS)}, shortCircuit: true } : next(name, context);`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
