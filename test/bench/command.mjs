// How the scripts that measure something are asked.

/** Does with `main` what `parse` read; what cannot be read is told with the usage, and the process ends with 2. */
export async function runCommand({ usage, parse, main }) {
  let wanted;
  try {
    wanted = parse();
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
  if (wanted.help) process.stdout.write(usage);
  else await main(wanted);
}
