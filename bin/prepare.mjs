import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// npm runs this at the end of `npm ci`. Without the development dependencies (`--omit=dev`) nothing can be built, and an existing build is kept.

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
if (existsSync(at('node_modules/typescript'))) {
  const { status } = spawnSync('npm run build', { cwd: at('.'), stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
} else if (!existsSync(at('dist/program/main.js'))) {
  process.stderr.write('Lore is not built, and without its development dependencies it cannot be: run `npm ci` without --omit=dev.\n');
}
