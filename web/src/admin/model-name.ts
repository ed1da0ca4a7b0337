/** The model in a fingerprint, which is provider/model/dimensions/version; the name of a model may hold slashes. */
export function modelName(fingerprint: string): string {
  const parts = fingerprint.split('/');
  return parts.length < 4 ? fingerprint : parts.slice(1, -2).join('/');
}
