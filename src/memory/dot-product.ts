/** Of two vectors of the same width; of unit length, that is their cosine. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += left[at]! * right[at]!;
  return sum;
}

/** The same two vectors give cosines that differ in the seventh digit, computed here or by LanceDB: those that are as near are to count as that. */
export function roundCosine(cosine: number): number {
  return Math.round(cosine * 1e5) / 1e5;
}
