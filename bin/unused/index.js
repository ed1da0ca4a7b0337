/** Whoever calls a package that Lore left out learns why it does nothing. */
export default function unused() {
  throw new Error('This package is left out of Lore: see overrides in package.json.');
}
