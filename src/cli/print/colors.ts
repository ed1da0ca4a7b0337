import { styleText } from 'node:util';

type Format = 'bold' | 'dim' | 'green' | 'red' | 'yellow';
type Colors = Readonly<Record<Format, (text: string) => string>>;

/** Colours for `stream`: with FORCE_COLOR always, with NO_COLOR never, else on a terminal that supports them. */
function colorsFor(stream: { readonly isTTY?: boolean }): Colors {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  const colored = !NO_COLOR && (Boolean(FORCE_COLOR) || (stream.isTTY === true && TERM !== 'dumb'));
  // Node versions have different rules about streams and variables; ours are those above.
  const paint = (format: Format) => (text: string) => (colored ? styleText(format, text, { validateStream: false }) : text);
  return { bold: paint('bold'), dim: paint('dim'), green: paint('green'), red: paint('red'), yellow: paint('yellow') };
}

/** Colours for stdout. */
export const stdoutColors = colorsFor(process.stdout);
/** Colours for stderr, which may go to a file while stdout is a terminal. */
export const stderrColors = colorsFor(process.stderr);
