/** Of two vectors of the same width; of unit length, that is their cosine. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += left[at]! * right[at]!;
  return sum;
}

/** Rounds to five digits: the same two vectors give cosines that differ in the seventh digit when computed here and by LanceDB, and must compare as equal. */
export function roundCosine(cosine: number): number {
  return Math.round(cosine * 1e5) / 1e5;
}
