/** Stands in for a package that Lore leaves out: a call throws and says so. */
export default function unused() {
  throw new Error('This package is left out of Lore: see overrides in package.json.');
}
