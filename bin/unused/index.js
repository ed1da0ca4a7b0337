/** Replaces a package that Lore leaves out: every call throws an error that says so. */
export default function unused() {
  throw new Error('This package is left out of Lore: see overrides in package.json.');
}
