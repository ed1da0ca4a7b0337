/** Scales a vector in place to length 1. Returns false and leaves it unchanged if it is all zero or not finite. */
export function scaleToUnit(vector: Float32Array): boolean {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = 1 / Math.sqrt(squares);
  if (!Number.isFinite(scale) || scale === 0) return false;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * scale;
  return true;
}
