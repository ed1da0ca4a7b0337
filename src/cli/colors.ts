import pc from 'picocolors';

/** Colours for stderr, which may go to a file while stdout is a terminal; picocolors itself looks at stdout only. */
export const stderrColors = pc.createColors(pc.isColorSupported && (process.stderr.isTTY || Boolean(process.env['FORCE_COLOR'])));
