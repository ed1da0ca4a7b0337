import pc from 'picocolors';

const forced = Boolean(process.env['FORCE_COLOR']);

// picocolors looks at stdout only, and takes a CI machine for a terminal: text in a pipe or a file stays plain here.

/** Colours for stdout. */
export const stdoutColors = pc.createColors(pc.isColorSupported && (process.stdout.isTTY || forced));
/** Colours for stderr, which may go to a file while stdout is a terminal. */
export const stderrColors = pc.createColors(pc.isColorSupported && (process.stderr.isTTY || forced));
