/**
 * Preloaded with `--import`: when the process exits, it writes the modules that it loaded by import and require to the file LOADED_MODULES, one
 * per line.
 */
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';

const file = process.env.LOADED_MODULES;
const hooks = `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(file)}, url + '\\n');
    return await next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const { cache } = createRequire(import.meta.url);
process.on('exit', () => appendFileSync(file, `${Object.keys(cache).join('\n')}\n`));
