// Markdown tables, and pages of which a part is made by a script.
import { readFileSync, writeFileSync } from 'node:fs';

/** One table, its columns padded to one width, so that it reads as plain text too. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell)));
  const widths = head.map((_, nth) => Math.max(3, ...cells.map((row) => row[nth].length)));
  const line = (row) => `| ${row.map((cell, nth) => cell.padEnd(widths[nth])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}

/** Puts `body` between `<!-- name -->` and `<!-- /name -->` of a file. Throws where the file has no such place. */
export function rewrite(file, name, body) {
  const text = readFileSync(file, 'utf8');
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from === -1 || to < from) throw new Error(`${file} has no place marked ${open} … ${close}.`);
  writeFileSync(file, `${text.slice(0, from + open.length)}\n\n${body.trim()}\n\n${text.slice(to)}`);
}
