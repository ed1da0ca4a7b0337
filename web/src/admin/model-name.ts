/** The model in a fingerprint of the form provider/model/dimensions/version. The model name can contain slashes. */
export function modelName(fingerprint: string): string {
  const parts = fingerprint.split('/');
  return parts.length < 4 ? fingerprint : parts.slice(1, -2).join('/');
}
