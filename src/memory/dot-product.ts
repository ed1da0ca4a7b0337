/** Dot product of two vectors of the same width; for unit vectors this is their cosine. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += left[at]! * right[at]!;
  return sum;
}

/** Rounds a cosine to five digits. This code and LanceDB differ in the seventh digit for the same vectors, which must compare as equal. */
export function roundCosine(cosine: number): number {
  return Math.round(cosine * 1e5) / 1e5;
}
