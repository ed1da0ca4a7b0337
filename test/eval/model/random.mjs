/** Numbers 0..1 that look random and are the same each time. */
export function randomFrom(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
