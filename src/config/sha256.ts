/** SHA-256 of a text, hexadecimal. Loads Node's crypto on demand: most hooks do not need it, and it takes a tenth of their time. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}
