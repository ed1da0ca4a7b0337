/** The file of this user's generated keys. */
export async function keysFile(): Promise<string> {
  const [{ keysFilePath }, { userDirectories }] = await Promise.all([
    import('../../config/api-keys.ts'),
    import('../../config/directories.ts'),
  ]);
  return keysFilePath(userDirectories().config);
}
