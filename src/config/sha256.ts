/** SHA-256 of a text, hex. Loads Node's crypto when called: most hooks need none, and it takes a tenth of their time. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}
